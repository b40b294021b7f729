# libkernelfit: the rooms below `api` as a shared library, for programs in C and whatever calls C.
# SOVERSION is KERNELFIT_ABI_VERSION of include/kernelfit/kernelfit.h, a test compares them.
include(GNUInstallDirs)

target_include_directories(kf_api PUBLIC ${PROJECT_SOURCE_DIR}/include)
if(WIN32)
  target_compile_definitions(kf_api PRIVATE "KERNELFIT_API=__declspec(dllexport)")
endif()

add_library(kernelfit_library SHARED $<TARGET_OBJECTS:kf_api>)
target_link_libraries(kernelfit_library PRIVATE kf_report)
set_target_properties(kernelfit_library PROPERTIES
  OUTPUT_NAME kernelfit VERSION 1.0 SOVERSION 1 LINKER_LANGUAGE CXX
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/kernelfit.map)
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  target_link_options(kernelfit_library PRIVATE
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/kernelfit.map)
endif()

file(RELATIVE_PATH KF_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" KF_PC_PREFIX ${KF_PC_PREFIX})
configure_file(cmake/kernelfit.pc.in kernelfit.pc @ONLY)

install(TARGETS kernelfit kernelfit_library)
install(FILES include/kernelfit/kernelfit.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kernelfit)
install(FILES ${PROJECT_BINARY_DIR}/kernelfit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
