# `cmake --install build --prefix P`: the programs, the encodings beside them, and the libraries for
# find_package(gpe). The prefix may be moved afterwards: nothing in it names where it was.
include(CMakePackageConfigHelpers)
set(gpe_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/gpe")

foreach(folder theory checks)
  install(TARGETS gpe_${folder} EXPORT gpe ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gpe"
          FILES_MATCHING PATTERN "*.h" PATTERN encodings EXCLUDE)
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/generated/checks/version.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gpe/checks")

install(EXPORT gpe NAMESPACE gpe:: FILE gpeTargets.cmake DESTINATION "${gpe_package_folder}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/gpeConfig.cmake.in" "${PROJECT_BINARY_DIR}/gpeConfig.cmake"
                              INSTALL_DESTINATION "${gpe_package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpeConfig.cmake" "${PROJECT_BINARY_DIR}/gpeConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/flint.cmake"
        DESTINATION "${gpe_package_folder}")
