// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include "judge/prints.h"
