"""What the program writes about itself: manual page and completions."""

import pathlib
import subprocess

# Where each stands below /usr, as shells and man look for it.
PLACES = {
    "man": "share/man/man1/proctor.1",
    "bash": "share/bash-completion/completions/proctor",
    "zsh": "share/zsh/vendor-completions/_proctor",
    "fish": "share/fish/vendor_completions.d/proctor.fish",
}


def texts(program: pathlib.Path) -> dict[str, bytes]:
    """Contents by their places."""
    return {
        place: subprocess.run([program, "completions", kind], capture_output=True, check=True).stdout
        for kind, place in PLACES.items()
    }
