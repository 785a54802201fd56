# edit.py FILE OLD NEW [OLD NEW ...]: each OLD must be there; the first is
# replaced. "\n" and "\t" stand for themselves.
import sys

path = sys.argv[1]
text = open(path, newline="").read()
for old, new in zip(sys.argv[2::2], sys.argv[3::2]):
    old, new = (word.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r") for word in (old, new))
    assert old in text, old
    text = text.replace(old, new, 1)
open(path, "w", newline="").write(text)
