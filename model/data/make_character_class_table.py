"""Prints character_class_table.inc: the ranges of letters, numbers and white space.

    .venv/bin/python model/data/make_character_class_table.py > model/data/character_class_table.inc

The package unicodedata2 16.0.0 (requirements-tests.txt) knows Unicode 16.0, as does tokenizers 0.23.3; tests/model
compares both with the table, character by character.
"""

import regex
import unicodedata2


def ranges(contains):
    found = []
    for character in range(0x110000):
        if 0xD800 <= character < 0xE000 or not contains(chr(character)):
            continue
        if found and found[-1][1] == character - 1:
            found[-1][1] = character
        else:
            found.append([character, character])
    return found


def main():
    print("// Made by make_character_class_table.py: Unicode 16.0.")
    classes = {
        "kLetters": lambda character: unicodedata2.category(character)[0] == "L",
        "kNumbers": lambda character: unicodedata2.category(character)[0] == "N",
        "kSpaces": regex.compile(r"\s").match,
    }
    for name, contains in classes.items():
        print(f"constexpr Range {name}[] = {{")
        line = "   "
        for first, last in ranges(contains):
            entry = f" {{0x{first:X}, 0x{last:X}}},"
            if len(line + entry) > 110:
                print(line)
                line = "   "
            line += entry
        print(line + "\n};")


main()
