# Types command lines in an interactive zsh, and prints what its completion offers.
#
# zsh -f zsh_offers.zsh FOLDER < LINES: FOLDER has the script of completions, _fragshark. Behind what
# is offered for a line stands the line ":end".
zmodload zsh/zpty
export OFFERED=$1/offered
mkfifo $OFFERED
exec 3<>$OFFERED
inner=$1/inner.zsh
cat >$inner <<'INNER'
PS1= RPS1=
fpath=($1 $fpath)
autoload -Uz compinit
compinit -u -D
offer() {
    compadd() {
        # What only asks for matches is no offer.
        if [[ ${@[1,(i)(-|--)]} != *-[OAD]* ]]; then
            local -a found
            builtin compadd -O found "$@"
            print -rl -- $found >$OFFERED
        fi
        builtin compadd "$@"
    }
    _main_complete
    unfunction compadd
    compstate[insert]= compstate[list]=
    print -r -- :end >$OFFERED
}
zle -C offer complete-word offer
bindkey '^I' offer
# Keys count from the next prompt on.
ready() {
    print -r -- :end >$OFFERED
    zle -D zle-line-init
}
zle -N zle-line-init ready
INNER
offered() {
    local line
    while read -r -t 60 -u 3 line; do
        print -r -- $line
        [[ $line == :end ]] && return
    done
    print -ru2 "zsh does not answer"
    exit 1
}
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "source ${(q)inner} ${(q)1}"
offered >/dev/null
while IFS= read -r line; do
    # ^U deletes the line before.
    zpty -w -n shell $'\x15'$line$'\t'
    offered
done
zpty -d shell
