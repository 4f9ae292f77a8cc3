# Runs in cpack, on the files that are about to be packed: what Debian wants of them, and times that depend on nothing but
# the release (SOURCE_DATE_EPOCH), so that two builds are the same.
foreach(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY} ${CPACK_TEMPORARY_DIRECTORY})
  if(NOT EXISTS ${root})
    continue()
  endif()
  if(CPACK_GENERATOR STREQUAL "DEB")
    execute_process(COMMAND find ${root} -type f "(" -path "*/share/man/*.1" -o -path "*/share/doc/*/changelog" ")"
                            -exec gzip -9 -n -f {} + COMMAND_ERROR_IS_FATAL ANY)
  endif()
  if(DEFINED ENV{SOURCE_DATE_EPOCH})
    execute_process(COMMAND find ${root} -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
