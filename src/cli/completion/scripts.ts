/** If there are no candidates, the script completes file names. */
export const SCRIPTS = {
  // Bash splits words at `=` and `:`, so each completion must contain only the text after the last of these characters.
  bash: `
_xpk() {
  local line=\${COMP_LINE:0:COMP_POINT} words current candidate
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]}-1]}
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    COMPREPLY+=("\${candidate#"\${current%"\${current##*[=:]}"}"}")
    [[ $candidate == *= ]] && compopt -o nospace 2> /dev/null
  done < <("\${COMP_WORDS[0]}" completion bash -- "\${words[@]:1}" 2> /dev/null)
}
complete -o default -F _xpk xpk
`,
  zsh: `
#compdef xpk
_xpk() {
  local -a whole open
  local candidate description
  while IFS=$'\\t' read -r candidate description; do
    if [[ $candidate == *= ]]; then open+=("\${candidate//:/\\\\:}:$description"); else whole+=("\${candidate//:/\\\\:}:$description"); fi
  done < <("\${words[1]}" completion zsh -- "\${(@)words[2,CURRENT]}" 2> /dev/null)
  (( $#whole + $#open )) || { _files; return }
  (( $#whole == 0 )) || _describe xpk whole
  (( $#open == 0 )) || _describe xpk open -S ''
}
if [[ \${funcstack[1]} == _xpk ]]; then _xpk "$@"; else compdef _xpk xpk; fi
`,
  fish: `
function __xpk_candidates
    set --local words (commandline --tokenize --cut-at-cursor --current-process)
    set --local current (commandline --cut-at-cursor --current-token)
    set --local program $words[1]
    set --erase words[1]
    set --local found ($program completion fish -- $words "$current" 2> /dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete --command xpk --no-files --arguments '(__xpk_candidates)'
`,
} as const;
