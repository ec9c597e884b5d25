/* SPDX-License-Identifier: Apache-2.0 */
/* Filling the block of parameters, slot by slot, by tasks on all threads. Plain slots are filled along the file's
   elements (layout.c), quantised ones along their panels (panels.c). Where a file does not have the blocks of a
   quantised slot in one piece, its values are first put in the order of the slot. */
#include "layout.h"

#include <stdio.h>
#include <string.h>

enum {
  SEGMENT = 512,          /* elements decoded at once; on the stack of every thread, so small */
  TASK_ELEMENTS = 1 << 17 /* of one index of the parallel loop; a multiple of SEGMENT and of every block */
};

typedef struct conversion {
  const nax_model_desc *model;
  int64_t slot_count;
  const nax_slot_desc *slots;
  int64_t block_bytes;
  const naxrt_source *const *sources;
  int64_t *first_tasks; /* of each slot, and the number of all */
  void *block;
  _Atomic int64_t refused; /* the first slot that can't hold one of its numbers; slot_count: none */
} conversion;

static void find_steps(const conversion *c, int64_t slot, naxrt_steps *steps, naxrt_columns *columns) {
  const naxrt_order *order = &c->sources[slot]->order;
  naxrt_steps_of(c->model, c->block_bytes, &c->slots[slot], order, steps);
  if (steps->format)
    naxrt_columns_of(steps, order, columns);
}

//===-- tasks ------------------------------------------------------------------------------------------------------//

/* Panels of one task. */
static int64_t panels_at_once(const naxrt_steps *steps) {
  int64_t elements = steps->k_size * steps->slot->nr;
  return elements > 0 && elements < TASK_ELEMENTS ? TASK_ELEMENTS / elements : 1;
}

static int64_t panel_count(const naxrt_steps *steps) {
  return steps->panel_bytes > 0 ? steps->bytes / steps->panel_bytes : 0;
}

static int64_t tasks_of(const naxrt_steps *steps, int64_t elements) {
  int64_t count = steps->format ? panel_count(steps) : elements;
  int64_t at_once = steps->format ? panels_at_once(steps) : TASK_ELEMENTS;
  return count / at_once + (count % at_once != 0);
}

static int64_t slot_of_task(const conversion *c, int64_t task) {
  int64_t low = 0, high = c->slot_count - 1;
  while (low < high) {
    int64_t middle = (low + high + 1) / 2;
    if (c->first_tasks[middle] <= task)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static void refuse(conversion *c, int64_t slot) {
  int64_t known = atomic_load(&c->refused);
  while (slot < known && !atomic_compare_exchange_weak(&c->refused, &known, slot))
    ;
}

/* Whether all of them are finite in f16 or bf16; a number as large as `limit` is rounded to infinity. */
static bool fit(const naxrt_steps *steps, const float *values, int64_t count) {
  if (steps->slot->stored == NAX_STORED_AS_DECLARED)
    return true;
  float limit = steps->dtype == NAX_F16 ? 0x1.ffep15f : 0x1.ffp127f;
  int64_t fine = 0;
  for (int64_t i = 0; i < count; ++i)
    fine += values[i] < limit && values[i] > -limit;
  return fine == count;
}

static bool convert_segment(const conversion *c, const naxrt_steps *steps, const naxrt_source *from, int64_t first,
                            int64_t count) {
  float narrow[SEGMENT];
  double wide[SEGMENT];
  bool is_wide = from->tensor->dtype == NAX_FILE_F64;
  if (is_wide) // possible only for parameters of f64
    memcpy(wide, (const uint8_t *)from->tensor->data + first * 8, (size_t)count * 8);
  else
    naxrt_decode(from->tensor->dtype, from->tensor->data, first, count, narrow);
  naxrt_scatter(steps, &from->order, c->block, first, count, is_wide ? NULL : narrow, is_wide ? wide : NULL);
  return is_wide || fit(steps, narrow, count);
}

static void convert_task(void *closure, int64_t task) {
  conversion *c = closure;
  int64_t slot = slot_of_task(c, task), number = task - c->first_tasks[slot];
  const naxrt_source *from = c->sources[slot];
  naxrt_steps steps;
  naxrt_columns columns;
  find_steps(c, slot, &steps, &columns);
  bool fine = true;
  if (steps.format) {
    int64_t at_once = panels_at_once(&steps), all = panel_count(&steps), begin = number * at_once;
    fine = naxrt_fill_panels(&columns, from->tensor, c->block, begin, all - begin < at_once ? all : begin + at_once);
  } else {
    int64_t begin = number * TASK_ELEMENTS, end = begin + TASK_ELEMENTS;
    if (end > from->order.elements)
      end = from->order.elements;
    for (int64_t first = begin; first < end; first += SEGMENT)
      fine &= convert_segment(c, &steps, from, first, end - first < SEGMENT ? end - first : SEGMENT);
  }
  if (!fine)
    refuse(c, slot);
}

/* Whether the slot is filled only after its values were put in its order. */
static bool is_staged(const naxrt_steps *steps, const naxrt_columns *columns) {
  return steps->format && !naxrt_has_whole_blocks(columns);
}

/* All slots but the staged ones. */
static nax_status run_tasks(nax_context *context, conversion *c) {
  int64_t bytes = (c->slot_count + 1) * (int64_t)sizeof(int64_t), tasks = 0;
  c->first_tasks = naxrt_allocate(context, bytes, "the list of parameters");
  if (!c->first_tasks)
    return NAX_E_MEMORY;
  for (int64_t i = 0; i < c->slot_count; ++i) {
    naxrt_steps steps;
    naxrt_columns columns;
    find_steps(c, i, &steps, &columns);
    c->first_tasks[i] = tasks;
    tasks += is_staged(&steps, &columns) ? 0 : tasks_of(&steps, c->sources[i]->order.elements);
  }
  c->first_tasks[c->slot_count] = tasks;
  naxrt_parallel_for(context, convert_task, c, tasks);
  naxrt_release(&context->hooks, c->first_tasks, bytes);
  return NAX_OK;
}

//===-- slots whose blocks the file has in pieces ------------------------------------------------------------------//

/* The values of a slot's parameter as f32 [N][K], and then the slot. */
static nax_status fill_staged(nax_context *context, conversion *c, int64_t slot) {
  const nax_slot_desc *to = &c->slots[slot];
  const naxrt_order *order = &c->sources[slot]->order;
  nax_file_tensor tensor = {.dtype = NAX_FILE_F32};
  naxrt_source staged = {.tensor = &tensor};
  naxrt_slot_order(to, order, &staged.order);
  int64_t bytes = order->elements * (int64_t)sizeof(float);
  void *values = naxrt_allocate(context, bytes, "a parameter in the order of its slot");
  if (!values)
    return NAX_E_MEMORY;
  tensor.data = values;
  const nax_slot_desc plain = {.param = to->param, .n_count = order->rank, .n_axes = staged.order.axes};
  conversion first = {c->model, 1, &plain, bytes, &c->sources[slot], NULL, values, 1};
  nax_status status = run_tasks(context, &first);
  const naxrt_source *from = &staged;
  conversion second = {c->model, 1, to, c->block_bytes, &from, NULL, c->block, 1};
  if (status == NAX_OK)
    status = run_tasks(context, &second);
  if (atomic_load(&second.refused) == 0)
    refuse(c, slot);
  naxrt_release(&context->hooks, values, bytes);
  return status;
}

//===-- out of a block -----------------------------------------------------------------------------------------------//

void *naxrt_slot_values(nax_context *context, const naxrt_steps *steps, const naxrt_order *order, const void *block,
                        nax_file_tensor *tensor, int64_t *bytes) {
  const naxrt_format *format = steps->format;
  bool wide = steps->dtype == NAX_F64;
  int64_t count = order->elements, item = (int64_t)(wide ? sizeof(double) : sizeof(float));
  *bytes = format ? count / format->elements * format->bytes : count * item;
  uint8_t *values = naxrt_allocate(context, *bytes, "a parameter in the order of its slot");
  *tensor = (nax_file_tensor){.dtype = format ? format->dtype : wide ? NAX_FILE_F64 : NAX_FILE_F32, .data = values};
  if (values && format)
    naxrt_take_blocks(steps, block, values);
  for (int64_t first = 0; values && !format && first < count; first += SEGMENT) {
    double numbers[SEGMENT];
    int64_t some = count - first < SEGMENT ? count - first : SEGMENT;
    naxrt_gather(steps, order, block, first, some, numbers);
    if (wide)
      naxrt_store_f64((double *)(void *)values, first, 1, numbers, some);
    for (int64_t i = 0; i < some && !wide; ++i)
      ((float *)(void *)values)[first + i] = (float)numbers[i];
  }
  return values;
}

//===-- checks -----------------------------------------------------------------------------------------------------//

nax_status naxrt_bad_slot(nax_context *context, const nax_model_desc *model, int64_t slot) {
  return naxrt_fail(context, NAX_E_MODEL, "the description of %s: slot %lld does not fit its parameter or the block",
                    model->name, (long long)slot);
}

static const char *stored_name(const naxrt_steps *steps) {
  return steps->format ? steps->format->name : naxrt_dtype_name(steps->dtype);
}

/* Quantised slots whose file is quantised, too, but not so that its blocks could be taken as they are. */
typedef struct requantised {
  int64_t count;
  const char *param, *from, *turned, *to;
} requantised;

static nax_status check_source(nax_context *context, const nax_param_desc *param, const naxrt_steps *steps,
                               const naxrt_columns *columns, const nax_file_tensor *tensor, requantised *again) {
  const naxrt_format *format = steps->format, *given = naxrt_format_of_dtype(tensor->dtype);
  bool whole = naxrt_has_whole_blocks(columns);
  if (given == format && whole)
    return NAX_OK;
  const char *name = tensor->dtype_name ? tensor->dtype_name : "f32";
  const char *turned = given == format ? " in another order of its axes" : "";
  if (!format->encode)
    return naxrt_fail(
        context, NAX_E_PARAMS,
        "%s: the model keeps it as %s, which is not made here of other numbers, and the file has it as %s%s; "
        "compile with --weights=q8_0, or give a file of that type",
        param->name, format->name, name, turned);
  if (given && again->count++ == 0)
    *again = (requantised){1, param->name, name, turned, format->name};
  return NAX_OK;
}

static nax_status check_slots(nax_context *context, const conversion *c, const char *path) {
  requantised again = {0};
  for (int64_t i = 0; i < c->slot_count; ++i) {
    naxrt_steps steps;
    naxrt_columns columns;
    const naxrt_source *from = c->sources[i];
    const nax_param_desc *param = &c->model->params[c->slots[i].param];
    if (!naxrt_steps_of(c->model, c->block_bytes, &c->slots[i], &from->order, &steps))
      return naxrt_bad_slot(context, c->model, i);
    if (steps.format) {
      naxrt_columns_of(&steps, &from->order, &columns);
      nax_status status = check_source(context, param, &steps, &columns, from->tensor, &again);
      if (status != NAX_OK)
        return status;
    }
    naxrt_clear_padding(&steps, c->block_bytes, c->block);
  }
  if (again.count)
    naxrt_log(
        context, NAX_LOG_WARNING,
        "%.400s: %lld parameters of %s are decoded and quantised anew as %s, the first is %s, which the file has as "
        "%s%s: a file of f32, f16 or bf16 gives more exact ones",
        path ? path : "memory", (long long)again.count, c->model->name, again.to, again.param, again.from,
        again.turned);
  return NAX_OK;
}

nax_status naxrt_convert(nax_context *context, const nax_model_desc *model, const nax_level_desc *level,
                         const naxrt_source *const *sources, const char *path, void *block) {
  conversion c = {model, level->slot_count, level->slots, level->block_bytes, sources, NULL, block, level->slot_count};
  nax_status status = check_slots(context, &c, path);
  if (status == NAX_OK)
    status = run_tasks(context, &c);
  naxrt_steps steps;
  naxrt_columns columns;
  for (int64_t i = 0; i < c.slot_count && status == NAX_OK; ++i) {
    find_steps(&c, i, &steps, &columns);
    if (is_staged(&steps, &columns))
      status = fill_staged(context, &c, i);
  }
  int64_t refused = atomic_load(&c.refused);
  if (status != NAX_OK || refused == c.slot_count)
    return status;
  find_steps(&c, refused, &steps, &columns);
  return naxrt_fail(
      context, NAX_E_PARAMS,
      "%s: one of its numbers is not finite, or too large to be kept as %s; mend the file, or compile with "
      "another --weights",
      model->params[c.slots[refused].param].name, stored_name(&steps));
}
