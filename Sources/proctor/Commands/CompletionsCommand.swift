/// Prints completions for a shell, and the manual page.
let completionsCommand = Command(
    name: "completions", operands: "bash|zsh|fish|man", summary: "Prints shell completions, or the manual page",
    discussion: """
        bash:  proctor completions bash > ~/.local/share/bash-completion/completions/proctor
        zsh:   proctor completions zsh > "${fpath[1]}/_proctor"
        fish:  proctor completions fish > ~/.config/fish/completions/proctor.fish
        man:   proctor completions man > ~/.local/share/man/man1/proctor.1
        """,
    flags: []
) { arguments, surroundings in
    switch (arguments.operands.first, arguments.operands.count) {
    case ("bash", 1): surroundings.output.out(Completions.bash)
    case ("zsh", 1): surroundings.output.out(Completions.zsh)
    case ("fish", 1): surroundings.output.out(Completions.fish)
    case ("man", 1): surroundings.output.out(ManualPage.text)
    default: throw UsageError("'completions' takes one of bash, zsh, fish and man")
    }
    return .success
}
