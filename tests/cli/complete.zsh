# zsh -f complete.zsh SCRIPT LINE: the last word of LINE after a tab, in a terminal of its own.
zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal "autoload -U compinit; compinit -u -d ${(q)1}.dump; source ${(q)1}; told() { print -r -- \"<<\${(Q)\${(z)BUFFER}[-1]}>>\" }; zle -N told; bindkey '^X' told; bindkey '^I' complete-word; print -r REA''DY"
zpty -r terminal shown '*READY*'
zpty -w -n terminal "$2"$'\t\x18'
zpty -r terminal shown '*<<*>>*'
print -r -- ${${shown##*<<}%%>>*}
zpty -d terminal
