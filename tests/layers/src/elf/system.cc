// SPDX-License-Identifier: Apache-2.0
#include "base/upward.h"
#include <unistd.h>
