# Completion of command lines in bash, from what --help prints: options, the values of those that have a list, the built-in names where there is --list.
#   cmake -DBIN=FOLDER -DOUTPUT=FOLDER -P cmake/completion.cmake     one file a program, as bash-completion looks for them
# zsh reads the same files after: autoload -U bashcompinit && bashcompinit
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY "${OUTPUT}")
file(GLOB programs "${BIN}/*")
foreach(program IN LISTS programs)
  get_filename_component(name "${program}" NAME)
  if(NOT name MATCHES "^((check|compare)-[a-z]+|audit-claims|asymptotics|entropy-frontier|design-encoding|verify-certificate|prepare-data|make-stories|make-tasks|ngram-baseline|(train|evaluate|sample|export)-tsm|probe-attention)$")
    continue()
  endif()
  execute_process(COMMAND "${program}" --help RESULT_VARIABLE exit OUTPUT_VARIABLE help ERROR_QUIET)
  if(NOT exit EQUAL 0)
    message(STATUS "no completion of ${name}: --help does not run here")
    continue()
  endif()
  string(REGEX MATCHALL "\n  (-[a-z],[ ]?)?--[a-z][a-z-]*[^\n]*" lines "${help}")
  set(options "")
  set(cases "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "--[a-z][a-z-]*" option "${line}")
    list(APPEND options "${option}")
    if(line MATCHES "{([a-z0-9,_-]+)}")
      string(REPLACE "," " " values "${CMAKE_MATCH_1}")
      string(APPEND cases "    ${option}) COMPREPLY=($(compgen -W \"${values}\" -- \"$current\")); return ;;\n")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES options)
  string(REPLACE ";" " " options "${options}")
  string(REGEX REPLACE "[^a-z]" "_" function "_gpe_${name}")
  set(names "")
  if(options MATCHES "(^| )--list( |$)")
    set(names " $(compgen -W \"$(${name} --list 2>/dev/null | cut -d' ' -f1)\" -- \"$current\")")
  elseif(name MATCHES "^(compare-encodings|entropy-frontier|design-encoding|train-tsm)$")
    set(names " $(compgen -W \"$(check-properties --list 2>/dev/null | cut -d' ' -f1)\" -- \"$current\")")
  endif()
  file(WRITE "${OUTPUT}/${name}" "# Completion of ${name} in bash, from its --help.
${function}() {
  local current=\"\${COMP_WORDS[COMP_CWORD]}\" before=\"\${COMP_WORDS[COMP_CWORD-1]}\"
  case $before in
${cases}    *) ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W \"${options}\" -- \"$current\"))
  else
    COMPREPLY=(${names} $(compgen -f -- \"$current\"))
  fi
}
complete -o filenames -F ${function} ${name}
")
endforeach()
