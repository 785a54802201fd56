# compare-binaries.sh CORESIDE CUDA FILE.cu FOLDER
#
# Compiles FILE.cu for each architecture, whole and -rdc, and fails where the
# numbers in the cubin are not those that ptxas printed. Then links, and does
# the same with what nvlink printed.
coreside=$1 cuda=$2 file=$3 folder=$4
mkdir -p "$folder"

# Every column but the spills, which no binary has, and how final it is.
numbers() {
  "$coreside" resources "$@" | sed 's/ *[0-9?]*\(\/[0-9]*\)\?$//; s/>/ /; s/  */ /g' |
    grep ' sm_' | sort
}

for target in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
  for rdc in false true; do
    name=$folder/$target-$rdc
    "$cuda/bin/nvcc" -arch=$target -rdc=$rdc -cubin -Xptxas -v "$file" \
      -o "$name.cubin" > "$name.log" 2>&1
    numbers "$name.log" > "$name.printed"
    numbers "$name.cubin" > "$name.read"
    diff "$name.printed" "$name.read"
    test "$(wc -l < "$name.read")" -eq 10
  done
  linked=$folder/$target-linked
  "$cuda/bin/nvlink" -arch=$target -v "$folder/$target-true.cubin" \
    -o "$linked.cubin" > "$linked.log" 2>&1
  # The linker prints what it has changed, and the compiler for what it was.
  numbers "$folder/$target-true.log" "$linked.log" > "$linked.printed"
  numbers "$linked.cubin" > "$linked.read"
  diff "$linked.printed" "$linked.read"
done
