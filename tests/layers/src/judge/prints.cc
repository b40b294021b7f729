// SPDX-License-Identifier: Apache-2.0
void f() { std::printf("x"); }  // not cli
