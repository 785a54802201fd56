# Makes C++ of the pages in docs/rules: cmake -DPAGES=FOLDER -DOUT=FILE -P this.
file(GLOB pages ${PAGES}/*.md)
set(text "")
foreach(page ${pages})
  get_filename_component(name ${page} NAME_WE)
  # A literal holds 64 KiB at least; a page is a tenth of that.
  file(READ ${page} words)
  string(APPEND text "{\"${name}\", R\"page(${words})page\"},\n")
endforeach()
file(WRITE ${OUT} "${text}")
