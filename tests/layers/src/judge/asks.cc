// SPDX-License-Identifier: Apache-2.0
void g() { getenv("HOME"); }
