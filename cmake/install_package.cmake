# `cmake --install build --prefix P`: the programs, the encodings beside them, and the libraries for
# find_package(gpe). The prefix may be moved afterwards: nothing in it names where it was.
include(CMakePackageConfigHelpers)
set(gpe_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/gpe")

foreach(folder theory checks)
  get_property(targets GLOBAL PROPERTY gpe_${folder}_targets)
  install(TARGETS ${targets} EXPORT gpe ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gpe"
          FILES_MATCHING PATTERN "*.h" PATTERN encodings EXCLUDE)
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/generated/checks/cli/version.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gpe/checks/cli")

install(EXPORT gpe NAMESPACE gpe:: FILE gpeTargets.cmake DESTINATION "${gpe_package_folder}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/gpeConfig.cmake.in" "${PROJECT_BINARY_DIR}/gpeConfig.cmake"
                              INSTALL_DESTINATION "${gpe_package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpeConfig.cmake" "${PROJECT_BINARY_DIR}/gpeConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/flint.cmake"
        DESTINATION "${gpe_package_folder}")

# What goes with the programs: completion, made by asking them, and the texts.
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DBIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}\"
                          \"-DSHARE=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\"
                          -P \"${CMAKE_CURRENT_LIST_DIR}/completion.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CITATION.cff" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/gpe")

# Archives, named by the version of project(): `cpack --config build/CPackConfig.cmake` of the programs, `cpack --config
# build/CPackSourceConfig.cmake` of the sources.
set(CPACK_GENERATOR TGZ)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME gpe)
set(CPACK_PACKAGE_VENDOR gpe)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
set(CPACK_SOURCE_PACKAGE_FILE_NAME "gpe-${PROJECT_VERSION}")
set(CPACK_SOURCE_IGNORE_FILES "/\\\\.git/" "/\\\\.git$" "/\\\\.venv" "/build/" "/build-[^/]*/" "${PROJECT_SOURCE_DIR}/data/" "/downloads/" "/figures/" "__pycache__" "\\\\.pyc$"
    "/compile_commands\\\\.json$" "\\\\.vo[ks]?$" "\\\\.glob$" "\\\\.aux$" "/\\\\.[ln][ir]a\\\\.cache$")
set(CPACK_VERBATIM_VARIABLES OFF)
# Of Debian (preset package): what the programs load is found in them; the rest is what their scripts run, and what find_package(gpe) takes.
set(CPACK_PACKAGE_CONTACT "The gpe authors <gpe@example.invalid>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.11)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib (>= 3.10), python3-jinja2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libflint-arb-dev, libtomlplusplus-dev, nlohmann-json3-dev")
include(CPack)
