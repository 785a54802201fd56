// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What archives ask of a C library that is newer than what users have.
//
// In:   LLVM and libgcc, compiled against glibc 2.36
// Out:  a program that runs with glibc 2.34: RHEL 9 and its kin, Ubuntu 22.04
//
// The wheel's name tells the version that it needs, and test/package/wheel.test
// fails when another function joins these two.

#include <cstdint>
#include <sys/random.h>

extern "C" {

/// From glibc 2.36. LLVM makes names of temporary files with it.
uint32_t arc4random() {
  uint32_t result = 0;
  // Fails only for sizes above 256 bytes or before the kernel is up.
  while (getrandom(&result, sizeof(result), 0) != sizeof(result))
    ;
  return result;
}

/// From glibc 2.35. libgcc looks for handlers of exceptions with it; there are
/// none in this program, and with one or without it a throw ends it.
int _dl_find_object(void *, void *) { return -1; }
}
