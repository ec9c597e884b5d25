# SPDX-License-Identifier: Apache-2.0
# Figures as tables in Markdown. Each line of input: TABLE, ROW, COLUMN, VALUE, UNIT, NOTE, with tabs between. A unit
# that all of a table has stands in its title.
#   awk -v title=... -v json=FILE -f table.awk FIGURES
BEGIN { FS = "\t" }
NF >= 4 {
  if (!($1 in rows)) { tables[++tableCount] = $1; rows[$1] = columns[$1] = 0; unit[$1] = $5 }
  if (!(($1, $2) in hasRow)) { hasRow[$1, $2] = 1; row[$1, ++rows[$1]] = $2 }
  if (!(($1, $3) in hasColumn)) { hasColumn[$1, $3] = 1; column[$1, ++columns[$1]] = $3 }
  if (unit[$1] != $5) unit[$1] = ""
  text = $4
  if ($6 != "" && $6 != "ok") text = text " (" $6 ")"
  cell[$1, $2, $3] = text
  records = records (records == "" ? "" : ",\n") "    {\"table\": " quoted($1) ", \"row\": " quoted($2) ", \"column\": " \
            quoted($3) ", \"value\": " ($4 ~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ ? $4 : quoted($4)) ", \"unit\": " \
            quoted($5) ", \"note\": " quoted($6) "}"
}
END {
  print "# " title
  for (t = 1; t <= tableCount; ++t) {
    name = tables[t]
    printf "\n## %s%s\n\n|", name, unit[name] == "" ? "" : ", " unit[name]
    for (c = 1; c <= columns[name]; ++c) printf " | %s", escaped(column[name, c])
    printf " |\n|"
    for (c = 0; c <= columns[name]; ++c) printf " --- |"
    print ""
    for (r = 1; r <= rows[name]; ++r) {
      printf "| %s", escaped(row[name, r])
      for (c = 1; c <= columns[name]; ++c) printf " | %s", escaped(cell[name, row[name, r], column[name, c]])
      print " |"
    }
  }
  # `about` is made of strings that gpu.sh has quoted.
  printf "{\n%s  \"figures\": [\n%s\n  ]\n}\n", about, records > json
}
function quoted(s) {
  gsub(/\\/, "\\\\", s)
  gsub(/"/, "\\\"", s)
  gsub(/[\001-\037]/, " ", s)
  return "\"" s "\""
}
function escaped(s) { gsub(/\|/, "\\|", s); return s }
