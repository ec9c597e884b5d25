# SPDX-License-Identifier: Apache-2.0
# Calls naxc run on each line of run-refuses.test: a model (sum: $1, lm: lm.mlir), then options. All must end with 1.
sum=$1
lm=lm.mlir
while read -r model options; do
  echo "$model $options"
  eval "file=\$$model"
  # shellcheck disable=SC2086
  naxc run "$file" $options 2>&1
  status=$?
  [ "$status" -eq 1 ] || echo "status $status"
done <<'END'
sum --in x=x.npy
sum --in x=x.npy --in z=y.npy
sum --in x=x.npy --in y=y4.npy
sum --in x=x64.npy --in y=y.npy
sum --in x=nowhere.npy --in y=y.npy
sum --in x=short.npy --in y=y.npy
sum --in x=headless.npy --in y=y.npy
sum --in x=text.npy --in y=y.npy
sum --in x=huge.npy --in y=y.npy
sum --in x=pickled.npy --in y=y.npy
sum --in x=x.npy --in y=y.npy --params params
sum --in x=x.npy --in y=y.npy --out sum=sum.npy
sum --in x=x.npy --in y=y.npy --out out=none/out.npy
lm --in ids=ids.npy --params params
lm --entry back --in ids=ids.npy --params params
lm --entry loss --in ids=ids.npy
lm --entry loss --in ids=ids64.npy --params params
lm --entry loss --in ids=big.npy --params params
lm --entry loss --in ids=fortran.npy --params params
lm --entry loss --in ids=flat.npy --params params
lm --entry loss --in ids=outside.npy --params params
lm --entry loss --in ids=long.npy --params params
lm --entry loss --in ids=ids.npy --params nowhere
END
