#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""desktop/pictures/draw.py FOLDER: writes the wallpapers to FOLDER/NAME, each with its images and a wallpaper.toml.

The pictures are CC0: do with them what you like."""
import os
import sys

sys.dont_write_bytecode = True
import scenes

BACKGROUNDS = {"valley": "#1c1d4a", "harbor": "#050a24", "reef": "#0a3f6b"}


def main():
    if len(sys.argv) != 2:
        sys.exit("draw.py: write the folder, as in 'draw.py .build/wallpapers'")
    for name, scene in scenes.SCENES.items():
        folder = os.path.join(sys.argv[1], name)
        os.makedirs(folder, exist_ok=True)
        text = "# The %s, drawn by code (CC0). From back to front.\n[wallpaper]\nbackground = \"%s\"\n" % (
            name, BACKGROUNDS[name])
        for layer in scene():
            with open(os.path.join(folder, layer.name + ".svg"), "w") as file:
                file.write(scenes.document(
                    [layer], scenes.WIDTH + 2 * scenes.MARGIN, scenes.HEIGHT + 2 * scenes.MARGIN, scenes.MARGIN))
            text += "\n[%s]\nimage = \"%s.svg\"\ndepth = %g\n" % (layer.name, layer.name, layer.depth)
        with open(os.path.join(folder, "wallpaper.toml"), "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
