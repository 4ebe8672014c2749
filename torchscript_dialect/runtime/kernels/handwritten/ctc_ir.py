"""LLVM IR of the recursions of connectionist temporal classification: `CTC_IR` is the module's text, which defines `FUNCTIONS`.

For each sequence both go through the steps and the labels, blanks among them: forward to the logarithms of the probabilities of all
that leads to a label at a step, its own included; backward to those of all that follows, its own not included. Sums of probabilities
are made as PyTorch makes them (native/LossCTC.cpp).
"""

from __future__ import annotations

from itertools import product

TYPES = {"float32": "float", "float64": "double"}
FUNCTIONS = tuple(f"{way}_{dtype}" for way, dtype in product(("forward", "backward"), TYPES))
_NOTHING = "0xFFF0000000000000"
"""Minus infinity."""

_SUM = """
declare {t} @exp{s}({t}) nonlazybind
declare {t} @log{s}({t}) nonlazybind

; log(e^a + e^b + e^c)
define internal {t} @sum_{t}({t} %a, {t} %b, {t} %c) alwaysinline nounwind {{
  %b_is_more = fcmp ogt {t} %b, %a
  %of_two = select i1 %b_is_more, {t} %b, {t} %a
  %c_is_more = fcmp ogt {t} %c, %of_two
  %of_three = select i1 %c_is_more, {t} %c, {t} %of_two
  %is_none = fcmp oeq {t} %of_three, {nothing}
  %most = select i1 %is_none, {t} 0.0, {t} %of_three
  %less_a = fsub {t} %a, %most
  %less_b = fsub {t} %b, %most
  %less_c = fsub {t} %c, %most
  %exp_a = call {t} @exp{s}({t} %less_a) nobuiltin
  %exp_b = call {t} @exp{s}({t} %less_b) nobuiltin
  %exp_c = call {t} @exp{s}({t} %less_c) nobuiltin
  %first = fadd {t} %exp_a, %exp_b
  %all = fadd {t} %first, %exp_c
  %log = call {t} @log{s}({t} %all) nobuiltin
  %sum = fadd {t} %log, %most
  ret {t} %sum
}}

; What a step says of a label.
define internal {t} @said_{t}(ptr %step, ptr %labels, i64 %place) alwaysinline nounwind {{
  %label_at = getelementptr i64, ptr %labels, i64 %place
  %label = load i64, ptr %label_at
  %said_at = getelementptr {t}, ptr %step, i64 %label
  %said = load {t}, ptr %said_at
  ret {t} %said
}}
"""

_PARTS = {
    "forward": """\
  %first_said = call {t} @said_{t}(ptr %row_probs, ptr %row_labels, i64 0)
  store {t} %first_said, ptr %row_states
  br i1 %has_labels, label %second, label %step_head
second:
  %second_said = call {t} @said_{t}(ptr %row_probs, ptr %row_labels, i64 1)
  %second_at = getelementptr {t}, ptr %row_states, i64 1
  store {t} %second_said, ptr %second_at
  br label %step_head
""",
    "backward": """\
  %has_steps = icmp sgt i64 %used_steps, 0
  br i1 %has_steps, label %end, label %row_end
end:
  %last_step = sub i64 %used_steps, 1
  %last_offset = mul i64 %last_step, %width
  %last_states = getelementptr {t}, ptr %row_states, i64 %last_offset
  %last_at = getelementptr {t}, ptr %last_states, i64 %last
  store {t} 0.0, ptr %last_at
  br i1 %has_labels, label %second, label %step_head
second:
  %second_at = getelementptr {t}, ptr %last_at, i64 -1
  store {t} 0.0, ptr %second_at
  br label %step_head
""",
}
_BEGINS = {"forward": "%row_begin", "backward": "%end"}


def _read(way: str, t: str, back: int) -> str:
    """Text that sets `%x_N`, what the label N places away from `%s` passes on, minus infinity if there is none."""
    forward = way == "forward"
    moved = f"{'sub' if forward else 'add'} i64 %s, {back}"
    exists = f"icmp sge i64 %place_{back}, 0" if forward else f"icmp sle i64 %place_{back}, %last"
    text = f"""\
  %place_{back} = {moved}
  %exists_{back} = {exists}
"""
    if back == 2:
        skipping = "%s" if forward else "%safe_2"
        text += f"""\
  %safe_2 = select i1 %exists_2, i64 %place_2, i64 %s
  %skip_at = getelementptr i8, ptr %row_skips, i64 {skipping}
  %skip = load i8, ptr %skip_at
  %skips_it = icmp ne i8 %skip, 0
  %reaches_2 = and i1 %exists_2, %skips_it
"""
    else:
        text += f"""\
  %safe_{back} = select i1 %exists_{back}, i64 %place_{back}, i64 %s
  %reaches_{back} = and i1 %exists_{back}, true
"""
    text += f"""\
  %from_at_{back} = getelementptr {t}, ptr %from, i64 %safe_{back}
  %state_{back} = load {t}, ptr %from_at_{back}
"""
    passed = f"%state_{back}"
    if not forward:
        text += f"""\
  %said_{back} = call {t} @said_{t}(ptr %said_then, ptr %row_labels, i64 %safe_{back})
  %passed_{back} = fadd {t} %state_{back}, %said_{back}
"""
        passed = f"%passed_{back}"
    return text + f"  %x_{back} = select i1 %reaches_{back}, {t} {passed}, {t} {_NOTHING}\n"


def _function(way: str, dtype: str) -> str:
    """Probabilities (steps, batch, classes), labels and what may be skipped to (batch, width), used steps and lengths (batch), to
    states (batch, steps, width), which are minus infinity before.
    """
    t = TYPES[dtype]
    forward = way == "forward"
    steps = "%number" if forward else "%from_end"
    result = "%with_own" if forward else "%all"
    own = f"""\
  %own = call {t} @said_{t}(ptr %said_now, ptr %row_labels, i64 %s)
  %with_own = fadd {t} %all, %own
"""
    return f"""
define void @{way}_{dtype}(ptr %probs, ptr %labels, ptr %skips, ptr %used, ptr %lengths, ptr %states,
    i64 %steps, i64 %batch, i64 %classes, i64 %width) nounwind {{
entry:
  %step_size = mul i64 %batch, %classes
  %row_size = mul i64 %steps, %width
  br label %row_head
row_head:
  %row = phi i64 [ 0, %entry ], [ %row_next, %row_end ]
  %has_row = icmp slt i64 %row, %batch
  br i1 %has_row, label %row_begin, label %out
row_begin:
  %used_at = getelementptr i64, ptr %used, i64 %row
  %used_steps = load i64, ptr %used_at
  %length_at = getelementptr i64, ptr %lengths, i64 %row
  %length = load i64, ptr %length_at
  %last = mul i64 %length, 2
  %has_labels = icmp sgt i64 %length, 0
  %row_offset = mul i64 %row, %width
  %row_labels = getelementptr i64, ptr %labels, i64 %row_offset
  %row_skips = getelementptr i8, ptr %skips, i64 %row_offset
  %states_offset = mul i64 %row, %row_size
  %row_states = getelementptr {t}, ptr %states, i64 %states_offset
  %probs_offset = mul i64 %row, %classes
  %row_probs = getelementptr {t}, ptr %probs, i64 %probs_offset
{_PARTS[way].format(t=t)}step_head:
  %number = phi i64 [ 1, {_BEGINS[way]} ], [ 1, %second ], [ %number_next, %step_end ]
  %has_step = icmp slt i64 %number, %used_steps
  br i1 %has_step, label %step_begin, label %row_end
step_begin:
  %behind = sub i64 %used_steps, %number
  %from_end = sub i64 %behind, 1
  %before = {"sub" if forward else "add"} i64 {steps}, 1
  %from_offset = mul i64 %before, %width
  %from = getelementptr {t}, ptr %row_states, i64 %from_offset
  %to_offset = mul i64 {steps}, %width
  %to = getelementptr {t}, ptr %row_states, i64 %to_offset
  %now_offset = mul i64 {steps}, %step_size
  %said_now = getelementptr {t}, ptr %row_probs, i64 %now_offset
  %then_offset = mul i64 %before, %step_size
  %said_then = getelementptr {t}, ptr %row_probs, i64 %then_offset
  br label %label_head
label_head:
  %s = phi i64 [ 0, %step_begin ], [ %s_next, %label_one ]
  %has_label = icmp sle i64 %s, %last
  br i1 %has_label, label %label_one, label %step_end
label_one:
{"".join(_read(way, t, back) for back in range(3))}\
  %all = call {t} @sum_{t}({t} %x_0, {t} %x_1, {t} %x_2)
{own if forward else ""}  %state_at = getelementptr {t}, ptr %to, i64 %s
  store {t} {result}, ptr %state_at
  %s_next = add i64 %s, 1
  br label %label_head
step_end:
  %number_next = add i64 %number, 1
  br label %step_head
row_end:
  %row_next = add i64 %row, 1
  br label %row_head
out:
  ret void
}}
"""


CTC_IR = "".join(
    _SUM.format(t=kind, s="f" if kind == "float" else "", nothing=_NOTHING)
    for kind in TYPES.values()
) + "".join(_function(*name.split("_")) for name in FUNCTIONS)
