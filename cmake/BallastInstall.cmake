# `cmake --install`: headers, the library, the command-line tool, and the package files that find_package(ballast) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(ballast_install)
  # The library is made of its stages' objects; it exports only itself. What it links privately is in the package as
  # $<LINK_ONLY:...> where it is a static library, so ballastConfig.cmake finds those again.
  install(TARGETS ballast EXPORT ballastTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ballast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.hpp")
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

  get_target_property(type ballast TYPE)
  string(COMPARE EQUAL ${type} STATIC_LIBRARY BALLAST_IS_STATIC)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ballast)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ballastConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/ballastConfig.cmake
                                INSTALL_DESTINATION ${package_dir}
                                NO_SET_AND_CHECK_MACRO)
  # Before 1.0 a minor version may break its users.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/ballastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(EXPORT ballastTargets NAMESPACE ballast:: DESTINATION ${package_dir})
  install(FILES ${PROJECT_BINARY_DIR}/ballastConfig.cmake ${PROJECT_BINARY_DIR}/ballastConfigVersion.cmake
          DESTINATION ${package_dir})

  # The tool's target is made later than the library.
  cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL ballast_install_cli)
endfunction()

function(ballast_install_cli)
  if(TARGET ballast_cli)
    install(TARGETS ballast_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()
