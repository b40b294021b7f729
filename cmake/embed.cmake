# Everything under data/ becomes the library kf_data: one array of string literals per file
# and a table `kernelfit::embedded_files()` sorted by path (src/base/embedded.h).
add_executable(kf_embed ${PROJECT_SOURCE_DIR}/tools/embed.cc)
target_compile_features(kf_embed PRIVATE cxx_std_20)

file(GLOB_RECURSE kf_data_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/*)
set(kf_data_cc ${PROJECT_BINARY_DIR}/embedded_data.cc)
add_custom_command(
  OUTPUT ${kf_data_cc}
  COMMAND kf_embed ${PROJECT_SOURCE_DIR}/data ${kf_data_cc}
  DEPENDS kf_embed ${kf_data_files}
  COMMENT "embed data/")
add_library(kf_data STATIC ${kf_data_cc})
target_compile_features(kf_data PRIVATE cxx_std_20)
target_include_directories(kf_data PUBLIC ${PROJECT_SOURCE_DIR}/src)
kf_for_both(kf_data)
