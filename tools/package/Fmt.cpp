// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fmt as an archive, for a program that must not need the shared library.
//
// In:   fmt's headers, with FMT_HEADER_ONLY
// Out:  an object with what the other objects call of libfmt.so
//
// They are compiled as for the shared library, so that they are the same in
// both builds, and call these functions of it.

#include <fmt/format.h>

namespace coreside {

extern std::string (*const formatter)(fmt::string_view, fmt::format_args);
extern void (*const fault)(const char *);

/// Makes the compiler emit the inline functions.
std::string (*const formatter)(fmt::string_view,
                               fmt::format_args) = &fmt::vformat;
void (*const fault)(const char *) = &fmt::detail::throw_format_error;

} // namespace coreside
