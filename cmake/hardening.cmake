# What makes a mistake in the code harder to use for an attack, as far as it costs no time (docs/security.md). Assertions of
# the C++ library, which look at every access, are not among them. Sanitizers have checks of their own.
option(EVIDENT_HARDENING "Compile with protection of the stack, checked calls of the C library and read-only relocations" ON)
set(evident_hardened OFF)
if(EVIDENT_HARDENING AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$"
   AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(evident_hardened ON)
  include(CheckCXXCompilerFlag)
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "EVIDENT_KNOWS${flag}" known)
    check_cxx_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(evident_options INTERFACE ${flag})
    endif()
  endforeach()
  # Some compilers define it themselves, with another value.
  target_compile_options(evident_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  target_link_options(evident_options INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  # Programs that can be loaded anywhere: the property does it on compilers that do not make them so by themselves.
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
endif()
