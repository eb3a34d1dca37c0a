# The command gpe: a script that runs the Python package, in the build folder that of the sources.
configure_file("${CMAKE_CURRENT_LIST_DIR}/gpe.in" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/gpe" @ONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(PROGRAMS "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/gpe" DESTINATION "${CMAKE_INSTALL_BINDIR}")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/gpe")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/probes/python" "${PROJECT_BINARY_DIR}/share/gpe/python" SYMBOLIC)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/probes/python/gpe" DESTINATION "${CMAKE_INSTALL_DATADIR}/gpe/python"
        FILES_MATCHING PATTERN "*.py" PATTERN "*.html" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/docs/certificate.schema.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/gpe/python/gpe/verifier")
