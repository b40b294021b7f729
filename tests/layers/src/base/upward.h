// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_file.h"
