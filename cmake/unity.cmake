# Files of one folder are compiled together: most of a file's compile time goes into headers that it shares with its
# neighbours. So names in the unnamed namespaces of a folder must differ. EVIDENT_UNITY=OFF, as in the preset dev, compiles
# file by file: for who changes one file after the other.
option(EVIDENT_UNITY "Compile the files of a folder together" ON)

# Sets `out` to the folder of a source below the root, or to nothing: Highway compiles a file several times by itself, once
# for each instruction set, and such files stay alone.
function(evident_unity_folder out source)
  file(STRINGS ${source} by_highway REGEX "hwy/foreach_target\\.h")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${source})
  get_filename_component(folder ${folder} DIRECTORY)
  if(by_highway OR NOT EVIDENT_UNITY)
    set(folder "")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# evident_unity(TARGET [FILE...]): for a target that has all its sources. The files, by names relative to the root, stay
# alone, and so do those that the build makes: they may not be there yet, and every build should be the same.
function(evident_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${EVIDENT_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(alone ${ARGN})
  list(TRANSFORM alone PREPEND ${PROJECT_SOURCE_DIR}/)
  foreach(source ${sources})
    string(FIND ${source} ${PROJECT_BINARY_DIR}/ made_here)
    if(EXISTS ${source} AND NOT made_here EQUAL 0 AND NOT source IN_LIST alone)
      evident_unity_folder(folder ${source})
      if(folder)
        set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder})
      endif()
    endif()
  endforeach()
endfunction()

# evident_unity_files(OUT INTO SOURCE...): the same without a target: sets `out` to files in the folder `into` that include
# the sources of one folder, and to the sources that stay alone.
function(evident_unity_files out into)
  set(files)
  set(folders)
  foreach(source ${ARGN})
    evident_unity_folder(folder ${source})
    if(folder)
      string(REPLACE "/" "-" folder ${folder})
      list(APPEND folders ${folder})
      string(APPEND text_${folder} "#include \"${source}\"\n")
    else()
      list(APPEND files ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    list(APPEND files ${into}/${folder}.cpp)
    file(GENERATE OUTPUT ${into}/${folder}.cpp CONTENT "// Made by cmake/unity.cmake.\n${text_${folder}}")
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()
