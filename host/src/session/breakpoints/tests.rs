//! Edits, answers and hits of a set of breakpoints, without an adapter.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::call::Call;
use super::key::Key;
use super::set::next_id;
use super::*;
use crate::dap::types;
use crate::model::{
    Author, Binding, Breakpoint, BreakpointEdit, BreakpointId, BreakpointSpec, Nearest, Place,
};
use crate::session::adapter::quirks::Quirks;
use crate::target::ForeignFiles;

/// Answers come by position: a breakpoint that is not sent must not shift them.
#[test]
fn answer_belongs_to_the_breakpoint_that_was_sent() {
    let mut set = Breakpoints::new(9);
    let named = |name: &str| Translated::from(BreakpointSpec::at(Place::Function(name.into())));
    let nameless = Translated { function: None, ..named("first") };
    let edit = BreakpointEdit::default();
    let ids = set.edit(edit, vec![nameless, named("second")]).unwrap();
    let quirks = Quirks::default();
    let jobs = set.take_jobs(&quirks);
    let job = jobs.iter().find(|job| job.key == Key::Functions).unwrap();
    let reported =
        types::Breakpoint { id: Some(7), verified: true, ..types::Breakpoint::default() };
    set.apply(job, &[reported], &quirks);
    assert_eq!(set.identify(&[7]), [ids[1]]);
}

/// The adapter counts the hits of a log point from when it sets it, and goes on if it changes it.
#[test]
fn adapter_ends_log_points_that_it_sets_anew() {
    let quirks = Quirks::ending_log_points();
    let log = |line| BreakpointSpec { log: Some("x".into()), max_hits: Some(3), ..at(line) };
    let mut set = Breakpoints::new(9);
    let ids = set.edit(BreakpointEdit::default(), vec![log(4).into(), at(5).into()]).unwrap();
    let sent = |set: &mut Breakpoints| {
        let jobs = set.take_jobs(&quirks);
        let job = jobs.into_iter().find(|job| matches!(job.key, Key::Source(_))).unwrap();
        let Call::Source(call) = job.call else { panic!("{job:?}") };
        let last = |one: &types::SourceBreakpoint| one.mark.and_then(|mark| mark.last);
        call.breakpoints.iter().map(|one| (one.line, last(one))).collect::<Vec<_>>()
    };
    assert_eq!(sent(&mut set), [(4, Some(3)), (5, None)]);
    set.count(ids[0], 2);
    let edit = |remove: &[BreakpointId], enable: bool| BreakpointEdit {
        disable: if enable { vec![] } else { vec![ids[0]] },
        enable: if enable { vec![ids[0]] } else { vec![] },
        remove: remove.to_vec(),
        ..Default::default()
    };
    set.edit(edit(&[ids[1]], true), vec![]).unwrap();
    assert_eq!(sent(&mut set), [(4, Some(3))], "the adapter has counted the two hits");
    set.edit(edit(&[], false), vec![]).unwrap();
    assert!(sent(&mut set).is_empty());
    set.edit(edit(&[], true), vec![]).unwrap();
    assert_eq!(sent(&mut set), [(4, Some(1))], "it begins to count");
    set.count(ids[0], 1);
    assert!(!set.retire(ids[0]));
    assert!(set.is_retired(ids[0]) && !set.is_dirty());
    assert!(set.retire(ids[0]) && set.is_dirty(), "a later hit: the adapter has not ended it");
    assert!(!set.retire(ids[0]));
    let other = BreakpointEdit { remove: vec![ids[0]], ..Default::default() };
    set.edit(other, vec![log(4).into()]).unwrap();
    assert_eq!(sent(&mut set), [(4, None)], "the adapter counts hits of the other on");
}

/// An adapter may name all breakpoints at a place, or the first of them.
#[test]
fn condition_is_in_doubt_if_another_breakpoint_may_have_stopped() {
    let conditional = BreakpointSpec { condition: Some("x < 0".into()), ..at(5) };
    let function = BreakpointSpec::at(Place::Function("tax".into()));
    let mut set = Breakpoints::new(9);
    let all = vec![conditional.into(), at(4).into(), function.into(), at(6).into()];
    let ids = set.edit(BreakpointEdit::default(), all).unwrap();
    let place = Quirks::naming_by_place();
    let reported = |id, line| types::Breakpoint {
        id: Some(id),
        verified: true,
        line: Some(line),
        ..Default::default()
    };
    for job in set.take_jobs(&place) {
        let answer = match job.key {
            Key::Functions => vec![reported(3, 5)],
            _ => vec![reported(1, 5), reported(2, 5), reported(4, 6)],
        };
        set.apply(&job, &answer, &place);
    }
    let unsure = |set: &Breakpoints| {
        [&[1][..], &[2], &[1, 3], &[4]].map(|named| set.is_unsure(named, &place))
    };
    assert_eq!(unsure(&set), [true, true, true, false]);
    assert!(!set.is_unsure(&[1], &Quirks::default()));
    assert_eq!(set.at("/a".as_ref(), 5, "cart::tax(int)", &place), ids[..3]);
    assert_eq!(set.at("/a".as_ref(), 5, "cart::tax(int)", &Quirks::default()), [ids[1], ids[2]]);
    assert_eq!(set.at("/a".as_ref(), 5, "surtax", &place), ids[..2]);
    assert_eq!(set.conditions(&ids[..3]), [(ids[0], "x < 0".to_owned())]);
    assert_eq!(set.unconditional_at(&[1], &place), ids[1..3]);
    assert_eq!(set.unconditional_at(&[4], &place), ids[3..]);
    set.edit(BreakpointEdit { disable: vec![ids[1], ids[2]], ..Default::default() }, Vec::new())
        .unwrap();
    assert_eq!(unsure(&set), [false; 4]);
    // The adapter has not reported its line.
    let somewhere = BreakpointSpec::at(Place::Function("any".into()));
    set.edit(BreakpointEdit::default(), vec![somewhere.into()]).unwrap();
    assert_eq!(unsure(&set), [true, false, true, false]);
}

/// Links give a file several names; frames have the one that the adapter reports.
#[test]
fn breakpoint_is_in_its_file_by_either_name() {
    let mut set = Breakpoints::new(9);
    let quirks = Quirks::default();
    let ids = set.edit(BreakpointEdit::default(), vec![at(5).into()]).unwrap();
    let source = types::Source { path: Some("/real/a".into()), ..Default::default() };
    let reported = types::Breakpoint {
        id: Some(1),
        verified: true,
        line: Some(5),
        source: Some(source),
        ..Default::default()
    };
    for job in set.take_jobs(&quirks) {
        set.apply(&job, std::slice::from_ref(&reported), &quirks);
    }
    for (path, hit) in [("/a", &ids[..]), ("/real/a", &ids[..]), ("/other/a", &[][..])] {
        assert_eq!(set.at(path.as_ref(), 5, "main", &quirks), hit, "{path}");
    }
}

/// Refused breakpoints and those left to other adapters have no place.
#[test]
fn breakpoint_that_is_not_set_stops_nothing() {
    let foreign =
        ForeignFiles { adapter: "any".into(), extensions: BTreeSet::from(["else".to_owned()]) };
    let mut set = Breakpoints::new(9).with_foreign_files(foreign);
    let (a, other) = (PathBuf::from("/a"), PathBuf::from("/b.else"));
    let line = |path: &PathBuf| Place::Line { path: path.clone(), line: 5, column: None };
    let retained = |(place, id)| Numbered {
        id,
        spec: BreakpointSpec::at(place),
        enabled: true,
        origin: Origin::Retained,
    };
    let ids = [next_id(), next_id(), next_id()];
    let mut all = [line(&a), line(&other), Place::Function("tax".into())]
        .into_iter()
        .zip(ids)
        .map(retained)
        .collect::<Vec<_>>();
    all[0].spec.condition = Some("nowhere == 4".into());
    set.adopt(all, false);
    set.withhold(ids[0], Origin::Retained, "no such name".into());
    let place = Quirks::naming_by_place();
    let reported =
        types::Breakpoint { id: Some(1), verified: true, line: Some(5), ..Default::default() };
    for job in set.take_jobs(&place) {
        set.apply(&job, std::slice::from_ref(&reported), &place);
    }
    assert_eq!(set.at(&a, 5, "tax", &place), [ids[2]]);
    assert_eq!(set.at(&other, 5, "tax", &place), [ids[2]]);
    assert!(!set.is_unsure(&[1], &place));
    // A breakpoint whose condition the adapter refuses is not set.
    set.edit(
        BreakpointEdit::default(),
        vec![BreakpointSpec { condition: Some("x".into()), ..at(5) }.into()],
    )
    .unwrap();
    assert!(set.is_unsure(&[1], &place));
    let refused = types::Breakpoint { message: Some("no such name".into()), ..Default::default() };
    for job in set.take_jobs(&place) {
        set.apply(&job, std::slice::from_ref(&refused), &place);
    }
    set.set_nearest(vec![(ids[0], Nearest::Lines(vec![5]))], &place);
    assert!(matches!(set.get(ids[0]).unwrap().binding, Binding::BadCondition { .. }));
    assert_eq!(set.at(&a, 5, "tax", &place), [ids[2]]);
    assert!(!set.is_unsure(&[1], &place));
}

/// The event comes before the answer that gives out its id.
#[test]
fn early_event_binds_its_breakpoint() {
    let mut set = Breakpoints::new(9);
    let quirks = Quirks::locating_when_running();
    set.edit(BreakpointEdit::default(), vec![at(3).into()]).unwrap();
    let jobs = set.take_jobs(&quirks);
    let event =
        types::Breakpoint { id: Some(1), verified: true, line: Some(4), ..Default::default() };
    set.on_event(&event, &quirks);
    for job in &jobs {
        set.apply(job, &[types::Breakpoint { id: Some(1), ..Default::default() }], &quirks);
    }
    set.end_calls();
    assert_eq!(set.list()[0].binding, Binding::Bound { line: Some(4) });
}

#[test]
fn breakpoint_missing_in_the_answer_is_unconfirmed() {
    let mut set = Breakpoints::new(9);
    set.edit(BreakpointEdit::default(), vec![at(3).into()]).unwrap();
    for job in set.take_jobs(&Quirks::default()) {
        set.apply(&job, &[], &Quirks::default());
    }
    assert_eq!(set.list()[0].binding, Binding::Unconfirmed);
}

fn at(line: u32) -> BreakpointSpec {
    BreakpointSpec::at(Place::Line { path: "/a".into(), line, column: None })
}

type Edit<'a> = &'a dyn Fn(&[BreakpointId]) -> BreakpointEdit;

/// A set with lines 1 and 2, after these edits of the session that took them over.
#[track_caller]
fn mirrors(edits: &[Edit<'_>], want: &str) {
    let mut set = Breakpoints::new(9);
    let ids = set.edit(BreakpointEdit::default(), vec![at(1).into(), at(2).into()]).unwrap();
    edits.iter().for_each(|edit| set.mirror(&edit(&ids), &[]));
    let word = |one: Breakpoint| {
        let condition = one.spec.condition.map(|text| format!(" if {text}")).unwrap_or_default();
        format!("{}{}{condition}", one.spec.place, if one.enabled { "" } else { " off" })
    };
    assert_eq!(set.list().into_iter().map(word).collect::<Vec<_>>().join(", "), want);
}

/// Retained breakpoints follow the session's edits; its own new ones are not added.
#[test]
fn retained_breakpoints_follow_edits_and_gain_none() {
    let (none, foreign) = (BreakpointEdit::default, BreakpointId(u32::MAX));
    let conditional = BreakpointSpec { condition: Some("x".into()), ..at(2) };
    let set =
        |_: &[BreakpointId]| BreakpointEdit { set: vec![conditional.clone(), at(3)], ..none() };
    let disable =
        |ids: &[BreakpointId]| BreakpointEdit { disable: vec![ids[0], foreign], ..none() };
    let enable = |ids: &[BreakpointId]| BreakpointEdit { enable: vec![foreign, ids[0]], ..none() };
    let remove = |ids: &[BreakpointId]| BreakpointEdit { remove: vec![foreign, ids[1]], ..none() };
    let clear = |_: &[BreakpointId]| BreakpointEdit { clear: true, ..none() };
    mirrors(&[], "/a:1, /a:2");
    mirrors(&[&set], "/a:1, /a:2 if x");
    mirrors(&[&disable], "/a:1 off, /a:2");
    mirrors(&[&disable, &enable], "/a:1, /a:2");
    mirrors(&[&remove], "/a:1");
    mirrors(&[&clear], "");
}

/// Each place counts once, and a removed one makes room.
#[test]
fn limit_counts_places() {
    let mut set = Breakpoints::new(2);
    let ids = set.edit(BreakpointEdit::default(), vec![at(1).into(), at(2).into()]).unwrap();
    let (none, new) = (BreakpointEdit::default, [at(2).place, at(3).place]);
    let fits = |edit: BreakpointEdit, new: &[Place]| set.check_room(&edit, new.iter()).is_ok();
    assert!(!fits(none(), &new));
    assert!(fits(none(), &new[..1]));
    assert!(fits(BreakpointEdit { remove: vec![ids[0]], ..none() }, &new));
    assert!(fits(BreakpointEdit { clear: true, ..none() }, &new));
}

fn by_caller() -> BreakpointEdit {
    BreakpointEdit::default()
}

fn by_editor() -> BreakpointEdit {
    BreakpointEdit { author: Author::Editor, ..BreakpointEdit::default() }
}

/// An editor sets its breakpoints next to those of callers and removes no other.
#[test]
fn editor_changes_its_own_breakpoints_alone() {
    let mut set = Breakpoints::new(9);
    let conditional = BreakpointSpec { condition: Some("x < 0".into()), ..at(5) };
    let of_caller = set.edit(by_caller(), vec![conditional.clone().into()]).unwrap();
    let of_editor = set.edit(by_editor(), vec![at(5).into(), at(6).into()]).unwrap();
    assert_eq!(of_editor[0], of_caller[0]);
    assert_eq!(set.get(of_caller[0]).unwrap().spec, conditional);
    assert_eq!(set.numbered().len(), 1, "a restart takes over those of callers");
    let (gone, foreign) = (BreakpointId(u32::MAX), of_caller[0]);
    let remove = BreakpointEdit { remove: vec![foreign, gone], ..by_editor() };
    set.edit(remove, Vec::new()).unwrap();
    let disable = BreakpointEdit { disable: vec![foreign], ..by_editor() };
    set.edit(disable, Vec::new()).unwrap();
    set.edit(BreakpointEdit { clear: true, ..by_editor() }, Vec::new()).unwrap();
    let left = set.list();
    assert_eq!(left.len(), 1);
    assert!(left[0].id == foreign && left[0].enabled);
}

/// A caller that sets a breakpoint of an editor makes it its own.
#[test]
fn caller_takes_a_breakpoint_of_an_editor_over() {
    let mut set = Breakpoints::new(9);
    let ids = set.edit(by_editor(), vec![at(5).into()]).unwrap();
    assert_eq!(set.edit(by_caller(), vec![at(5).into()]).unwrap(), ids);
    set.edit(BreakpointEdit { clear: true, ..by_editor() }, Vec::new()).unwrap();
    assert_eq!(set.list().len(), 1);
    set.edit(BreakpointEdit { clear: true, ..by_caller() }, Vec::new()).unwrap();
    assert!(set.list().is_empty());
}

/// The words of an editor are in force besides those of the caller.
#[test]
fn exceptions_of_an_editor_leave_those_of_the_caller() {
    let mut set = Breakpoints::new(9);
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    set.edit(BreakpointEdit { exceptions: words(&["none"]), ..by_caller() }, Vec::new()).unwrap();
    set.edit(BreakpointEdit { exceptions: words(&["all"]), ..by_editor() }, Vec::new()).unwrap();
    let sent = |set: &mut Breakpoints| {
        let jobs = set.take_jobs(&Quirks::default());
        match jobs.into_iter().find(|job| job.key == Key::Exceptions).unwrap().call {
            Call::Exceptions(words, of_editor) => (words.unwrap(), of_editor),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(sent(&mut set), (vec!["none".to_owned()], vec!["all".to_owned()]));
    set.edit(BreakpointEdit { exceptions: words(&[]), ..by_editor() }, Vec::new()).unwrap();
    assert_eq!(sent(&mut set), (vec!["none".to_owned()], Vec::new()));
    assert_eq!(set.exceptions(), Some(vec!["none".to_owned()]));
}

/// Sets breakpoints on these exceptions; returns their numbers.
fn choose(set: &mut Breakpoints, words: &[&str]) -> Vec<BreakpointId> {
    let exceptions = Some(words.iter().map(|word| (*word).to_owned()).collect());
    set.edit(BreakpointEdit { exceptions, ..by_caller() }, Vec::new()).unwrap()
}

/// The words in force, by a blank: `-` without a choice of the caller.
fn chosen(set: &Breakpoints) -> String {
    set.exceptions().map_or_else(|| "-".to_owned(), |words| words.join(" "))
}

/// One that stays in the list keeps its number and its hits, and is enabled again.
#[test]
fn exceptions_are_breakpoints_with_numbers() {
    let mut set = Breakpoints::new(9);
    assert_eq!(chosen(&set), "-");
    let first = choose(&mut set, &["uncaught", "KeyError", "KeyError"]);
    assert_eq!((first.len(), chosen(&set).as_str()), (2, "uncaught KeyError"));
    set.count_stop(&first[1..], &Quirks::default());
    let disable = BreakpointEdit { disable: vec![first[1]], ..by_caller() };
    set.edit(disable, Vec::new()).unwrap();
    assert_eq!(chosen(&set), "uncaught");
    let second = choose(&mut set, &["Gone", "KeyError"]);
    assert_eq!((second[1], chosen(&set).as_str()), (first[1], "KeyError Gone"));
    assert!(set.get(first[0]).is_none() && set.has_had(first[0]));
    let stays = set.get(first[1]).unwrap();
    assert!(stays.hits == 1 && stays.enabled);
    let remove = BreakpointEdit { remove: vec![second[0]], ..by_caller() };
    set.edit(remove, Vec::new()).unwrap();
    assert_eq!(chosen(&set), "KeyError");
}

/// Without any, nothing stops: the defaults come back with `clear` alone.
#[test]
fn removed_exceptions_leave_none() {
    for (edit, expect) in [
        (BreakpointEdit { exceptions: Some(Vec::new()), ..by_caller() }, "none"),
        (BreakpointEdit { exceptions: Some(vec!["none".into()]), ..by_caller() }, "none"),
        (BreakpointEdit { clear: true, ..by_caller() }, "-"),
        (BreakpointEdit { clear: true, ..by_editor() }, "KeyError"),
    ] {
        let mut set = Breakpoints::new(9);
        choose(&mut set, &["KeyError"]);
        set.edit(edit.clone(), Vec::new()).unwrap();
        assert_eq!(chosen(&set), expect, "{edit:?}");
    }
    let mut set = Breakpoints::new(9);
    let only = choose(&mut set, &["KeyError"]);
    set.edit(BreakpointEdit { remove: only, ..by_caller() }, Vec::new()).unwrap();
    assert_eq!(chosen(&set), "none");
    set.edit(BreakpointEdit { clear: true, ..by_caller() }, Vec::new()).unwrap();
    assert_eq!(chosen(&set), "none", "a choice is no breakpoint");
}

#[test]
fn exceptions_are_bound_by_the_answer_to_their_call() {
    let (mut set, quirks) = (Breakpoints::new(9), Quirks::default());
    let ids = choose(&mut set, &["uncaught", "KeyError"]);
    set.edit(BreakpointEdit { disable: vec![ids[0]], ..by_caller() }, Vec::new()).unwrap();
    let jobs = set.take_jobs(&quirks);
    let job = jobs.iter().find(|job| job.key == Key::Exceptions).unwrap();
    assert_eq!(job.exceptions(), Some(&["KeyError".to_owned()][..]));
    set.apply(job, &[], &quirks);
    let bindings = [0, 1].map(|at| set.get(ids[at]).unwrap().binding);
    assert_eq!(bindings, [Binding::Pending, Binding::Bound { line: None }]);
    set.refuse(job, "no");
    assert!(matches!(set.get(ids[1]).unwrap().binding, Binding::Refused { .. }));
    assert!(set.removing_jobs(&quirks).is_empty());
    assert!(set.at("/a".as_ref(), 1, "KeyError", &quirks).is_empty());
}

/// A filter of another adapter is no breakpoint here.
#[test]
fn unknown_exceptions_are_forgotten() {
    let mut set = Breakpoints::new(9);
    choose(&mut set, &["panic", "KeyError"]);
    set.forget_exceptions(&["panic".to_owned()]);
    assert_eq!(chosen(&set), "KeyError");
    set.forget_exceptions(&["KeyError".to_owned()]);
    assert_eq!(chosen(&set), "-");
    choose(&mut set, &["none"]);
    set.forget_exceptions(&["panic".to_owned()]);
    assert_eq!(chosen(&set), "none");
}

/// Without retained exceptions those of the session are not taken over; else with their numbers.
#[test]
fn retained_exceptions_follow() {
    let edit = |words: &[&str]| {
        let exceptions = Some(words.iter().map(|word| (*word).to_owned()).collect());
        BreakpointEdit { exceptions, ..by_caller() }
    };
    let (mut waiting, mut session) = (Breakpoints::new(9), Breakpoints::new(9));
    choose(&mut session, &["all"]);
    waiting.mirror(&edit(&["all"]), &exceptions_among(&session.list()));
    assert_eq!(chosen(&waiting), "-");
    let mut session = Breakpoints::new(9);
    choose(&mut waiting, &["all"]);
    session.adopt(waiting.numbered(), waiting.chooses_exceptions());
    choose(&mut session, &["all", "KeyError"]);
    waiting.mirror(&edit(&["all", "KeyError"]), &exceptions_among(&session.list()));
    assert_eq!(waiting.numbered(), session.numbered());
    let disable = BreakpointEdit { disable: session.ids().into_iter().collect(), ..by_caller() };
    session.edit(disable.clone(), Vec::new()).unwrap();
    waiting.mirror(&disable, &[]);
    assert_eq!((waiting.numbered(), chosen(&waiting)), (session.numbered(), "none".to_owned()));
    let new = choose(&mut session, &["Gone"]);
    let mut numbered = session.numbered();
    numbered.retain(|one| new.contains(&one.id));
    waiting.mirror_with(&edit(&["Gone"]), &numbered);
    assert_eq!(waiting.numbered(), session.numbered());
    waiting.mirror_with(&edit(&["none"]), &[]);
    assert_eq!((waiting.list().len(), chosen(&waiting)), (0, "none".to_owned()));
}

/// The call set it again, without the condition, before the adapter had answered.
#[test]
fn breakpoint_that_a_call_has_replaced_is_not_withheld() {
    let mut set = Breakpoints::new(9);
    let with = BreakpointSpec { condition: Some("ok".into()), ..at(3) };
    let id = set.edit(BreakpointEdit::default(), vec![with.clone().into()]).unwrap()[0];
    set.edit(BreakpointEdit::default(), vec![at(3).into()]).unwrap();
    set.withhold(id, Origin::Call, "no conditions".into());
    assert_eq!(set.get(id).unwrap().binding, Binding::Pending);
    set.edit(BreakpointEdit::default(), vec![with.into()]).unwrap();
    set.withhold(id, Origin::Call, "no conditions".into());
    let refused = Binding::BadCondition { why: "no conditions".into() };
    assert_eq!(set.get(id).unwrap().binding, refused);
}

/// An adapter may take one breakpoint at a place.
#[test]
fn run_to_a_place_uses_or_replaces_the_breakpoint_there() {
    let quirks = Quirks::default();
    let conditional = BreakpointSpec { condition: Some("x < 0".into()), ..at(5) };
    let logging = BreakpointSpec { log: Some("{x}".into()), ..at(6) };
    let mut set = Breakpoints::new(9);
    let all = vec![at(4).into(), conditional.into(), logging.into()];
    let ids = set.edit(BreakpointEdit::default(), all).unwrap();
    let bound = |id, line| types::Breakpoint {
        id: Some(id),
        verified: true,
        line: Some(line),
        ..Default::default()
    };
    let refused = || types::Breakpoint { message: Some("exists".into()), ..Default::default() };
    for job in set.take_jobs(&quirks) {
        // The first was moved.
        set.apply(&job, &[bound(1, 8), bound(2, 5), bound(3, 6)], &quirks);
    }
    let plain = |set: &Breakpoints, line| set.plain_at(&at(line).into(), &quirks);
    assert_eq!([4, 8].map(|line| plain(&set, line)), [Some(ids[0]); 2]);
    assert_eq!([5, 6, 7].map(|line| plain(&set, line)), [None; 3]);
    let disabled = BreakpointEdit { disable: vec![ids[0]], ..Default::default() };
    set.edit(disabled, Vec::new()).unwrap();
    assert_eq!(plain(&set, 4), None);

    let sent = |set: &mut Breakpoints, answer: &[types::Breakpoint]| {
        let jobs = set.take_jobs(&quirks);
        jobs.iter().for_each(|job| set.apply(job, answer, &quirks));
        jobs.into_iter().flat_map(|job| job.ids).map(|(id, _)| id).collect::<Vec<_>>()
    };
    let until = set.add_temporary(at(5).into());
    let answer = [bound(2, 5), bound(3, 6), refused()];
    assert_eq!(sent(&mut set, &answer), [ids[1], ids[2], until]);
    assert!(!set.is_unsure(&[2], &quirks));
    let text = set.replace_others(until).unwrap();
    assert_eq!((set.replace_others(until), sent(&mut set, &[bound(3, 6)])), (None, vec![ids[2]]));
    let until = set.add_temporary(text);
    // An adapter may change the breakpoint there into the new one.
    assert_eq!(sent(&mut set, &[bound(3, 6), bound(2, 5)]), [ids[2], until]);
    assert_eq!(set.identify(&[2]), [until]);
    assert!(set.is_unsure(&[2], &quirks) && !set.is_unsure(&[3], &quirks));
    assert_eq!(set.at("/a".as_ref(), 5, "f", &quirks), [ids[1], until]);
    assert!(set.drop_one_temporary(until));
    assert_eq!(sent(&mut set, &[bound(4, 5), bound(3, 6)]), ids[1..]);

    let until = set.add_temporary(at(6).into());
    assert_eq!(sent(&mut set, &[bound(4, 5), bound(3, 6), refused()]).len(), 3);
    assert!(!set.is_logged_by_host(ids[2], &quirks));
    let text = set.replace_others(until).unwrap();
    set.add_temporary(text);
    assert!(set.is_logged_by_host(ids[2], &quirks), "nothing else writes its text");
    assert!(set.drop_temporary() && !set.is_logged_by_host(ids[2], &quirks));
    let until = set.add_temporary(at(7).into());
    assert_eq!(set.replace_others(until), None, "no other is there");
    set.drop_temporary();

    // A plugin finds a function by its line and column.
    let function = |name: &str, column| {
        let place = Place::Line { path: "/a".into(), line: 5, column: Some(column) };
        let spec = BreakpointSpec::at(Place::Function(name.to_owned()));
        Translated { function: None, place, ..Translated::from(spec) }
    };
    assert_eq!(set.plain_at(&function("f", 3), &quirks), None, "it may be elsewhere in the line");
    let until = set.add_temporary(function("f", 3));
    assert_eq!(sent(&mut set, &[bound(4, 5), bound(3, 6), refused()]), [ids[1], ids[2], until]);
    let text = set.replace_others(until).unwrap();
    let until = set.add_temporary(text);
    sent(&mut set, &[bound(3, 6), bound(4, 5)]);
    assert_eq!(set.at("/a".as_ref(), 5, "f", &quirks), [ids[1], until]);
    set.drop_temporary();
    set.edit(BreakpointEdit { clear: true, ..Default::default() }, vec![function("g", 9)]).unwrap();
    sent(&mut set, &[bound(5, 5)]);
    let until = set.add_temporary(function("f", 3));
    sent(&mut set, &[bound(5, 5), refused()]);
    assert_eq!(set.replace_others(until), None, "their columns differ");
}
