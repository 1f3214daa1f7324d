# One object library a stage, so that a stage can be built and tested without those after it, and one library of all.

add_library(ballast_options INTERFACE)
target_compile_options(ballast_options INTERFACE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${BALLAST_WERROR}>:-Werror>)
# gcc 12's optimiser sees overlapping and overflowing copies in plain concatenations of strings (its bugs 105651 and
# 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ballast_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                                                   -Wno-array-bounds)
endif()
if(BALLAST_SANITIZE)
  target_compile_options(ballast_options INTERFACE -fsanitize=${BALLAST_SANITIZE} -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all)
  target_link_options(ballast_options INTERFACE -fsanitize=${BALLAST_SANITIZE})
  # With sanitizers gcc takes members of a variant that is moved for uninitialised (its manual warns of it).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(ballast_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

define_property(TARGET PROPERTY BALLAST_STAGES)
set_property(GLOBAL PROPERTY ballast_stages "")

# ballast_stage(<name> [AFTER <stage>] [LIBRARIES <targets>...])
function(ballast_stage name)
  cmake_parse_arguments(arg "" "AFTER" "LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(ballast_${name} OBJECT ${sources})
    target_include_directories(ballast_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(ballast_${name} PRIVATE ballast_options ${arg_LIBRARIES})
    set_property(GLOBAL APPEND PROPERTY ballast_stages ${name})
  endif()
  set_property(GLOBAL PROPERTY ballast_stage_libraries_${name} ${arg_LIBRARIES})
  # What a test of this stage links: its objects and those of every stage before it.
  set(objects "")
  set(libraries ${arg_LIBRARIES})
  if(arg_AFTER)
    get_property(objects GLOBAL PROPERTY ballast_stage_objects_${arg_AFTER})
    get_property(earlier GLOBAL PROPERTY ballast_stage_closure_${arg_AFTER})
    list(APPEND libraries ${earlier})
  endif()
  if(sources)
    list(APPEND objects $<TARGET_OBJECTS:ballast_${name}>)
  endif()
  set_property(GLOBAL PROPERTY ballast_stage_objects_${name} "${objects}")
  set_property(GLOBAL PROPERTY ballast_stage_closure_${name} "${libraries}")
endfunction()

# The library that users link.
function(ballast_library)
  get_property(objects GLOBAL PROPERTY ballast_stage_objects_schema_file)
  get_property(libraries GLOBAL PROPERTY ballast_stage_closure_schema_file)
  list(REMOVE_DUPLICATES libraries)
  add_library(ballast ${objects})
  add_library(ballast::ballast ALIAS ballast)
  set_target_properties(ballast PROPERTIES LINKER_LANGUAGE CXX)
  target_compile_features(ballast PUBLIC cxx_std_20)
  target_include_directories(ballast PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:include>)
  target_link_libraries(ballast PRIVATE ${libraries})
  if(BALLAST_SANITIZE)
    target_link_options(ballast INTERFACE -fsanitize=${BALLAST_SANITIZE})
  endif()
endfunction()
