"""The mock interview: a fold over timed events, the interviewer's moves, the report.

====================  ======================================================================
:mod:`.options`       what the candidate chose
:mod:`.questions`     a question as it was asked, with its rubric; the plan's slots
:mod:`.events`        what can happen, in the order it is logged
:mod:`.state`         where an interview is
:mod:`.machine`       ``apply(state, event)``: the only way from one state to the next
:mod:`.planning`      which questions, follow-ups, calculations and claims
:mod:`.interviewer`   ``move(state, material, at)``: what the program does next, if anything
:mod:`.report`        what it came to, as data; :mod:`.markdown` and :mod:`.page` write it out
====================  ======================================================================

A log of events says everything, so that resuming is replaying: whoever drives an interview
logs each event before it applies it.
"""
