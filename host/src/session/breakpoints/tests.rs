//! What a set keeps, and to whom answers belong.

use dapdock_schema::HitIds;

use super::*;

/// Answers come by position: one that is not sent may not take the place of one that is.
#[test]
fn an_answer_belongs_to_the_breakpoint_that_was_sent() {
    let mut set = Breakpoints::new(9);
    let named = |name: &str| Translated::from(BreakpointSpec::at(Place::Function(name.into())));
    let nameless = Translated { function: None, ..named("first") };
    let edit = BreakpointEdit::default();
    let ids = set.edit(edit, vec![nameless, named("second")]).unwrap();
    let profile = Profile::default();
    let jobs = set.take_jobs(&profile);
    let job = jobs.iter().find(|job| job.key == Key::Functions).unwrap();
    let told = wire::Breakpoint { id: Some(7), verified: true, ..wire::Breakpoint::default() };
    set.apply(job, &[told], &profile);
    assert_eq!(set.identify(&[7]), [ids[1]]);
}

/// An adapter may name all of a place, or the first of them.
#[test]
fn a_condition_is_met_where_no_other_can_have_stopped() {
    let conditional = BreakpointSpec { condition: Some("x < 0".into()), ..at(5) };
    let function = BreakpointSpec::at(Place::Function("tax".into()));
    let mut set = Breakpoints::new(9);
    let all = vec![conditional.into(), at(4).into(), function.into(), at(6).into()];
    let ids = set.edit(BreakpointEdit::default(), all).unwrap();
    let place = Profile { hit_ids: HitIds::Place, ..Profile::default() };
    let told = |id, line| wire::Breakpoint {
        id: Some(id),
        verified: true,
        line: Some(line),
        ..Default::default()
    };
    for job in set.take_jobs(&place) {
        let answer = match job.key {
            Key::Functions => vec![told(3, 5)],
            _ => vec![told(1, 5), told(2, 5), told(4, 6)],
        };
        set.apply(&job, &answer, &place);
    }
    let unsure = |set: &Breakpoints| {
        [&[1][..], &[2], &[1, 3], &[4]].map(|named| set.is_unsure(named, &place))
    };
    assert_eq!(unsure(&set), [true, true, true, false]);
    assert!(!set.is_unsure(&[1], &Profile::default()));
    assert_eq!(set.at("/a".as_ref(), 5, "cart::tax(int)", &place), ids[..3]);
    assert_eq!(set.at("/a".as_ref(), 5, "cart::tax(int)", &Profile::default()), [ids[1], ids[2]]);
    assert_eq!(set.at("/a".as_ref(), 5, "surtax", &place), ids[..2]);
    assert_eq!(set.doubtful(&ids[..3]), [(ids[0], "x < 0".to_owned())]);
    assert_eq!(set.otherwise(&[1], &place), ids[1..3]);
    assert_eq!(set.otherwise(&[4], &place), ids[3..]);
    set.edit(BreakpointEdit { disable: vec![ids[1], ids[2]], ..Default::default() }, Vec::new())
        .unwrap();
    assert_eq!(unsure(&set), [false; 4]);
    // Nobody has said where it is.
    let somewhere = BreakpointSpec::at(Place::Function("any".into()));
    set.edit(BreakpointEdit::default(), vec![somewhere.into()]).unwrap();
    assert_eq!(unsure(&set), [true, false, true, false]);
}

/// What was refused or left to others is nowhere.
#[test]
fn what_is_not_set_stops_nothing() {
    let foreign = Territory { adapter: "any".into(), foreign: BTreeSet::from(["else".to_owned()]) };
    let mut set = Breakpoints::new(9).within(foreign);
    let (a, other) = (PathBuf::from("/a"), PathBuf::from("/b.else"));
    let line = |path: &PathBuf| Place::Line { path: path.clone(), line: 5, column: None };
    let kept = |(place, id)| Known {
        id,
        spec: BreakpointSpec::at(place),
        enabled: true,
        kept: Kept::Before,
    };
    let ids = [next_id(), next_id(), next_id()];
    let mut all = [line(&a), line(&other), Place::Function("tax".into())]
        .into_iter()
        .zip(ids)
        .map(kept)
        .collect::<Vec<_>>();
    all[0].spec.condition = Some("nowhere == 4".into());
    set.adopt(all, None);
    set.hold(ids[0], "no such name".into());
    let place = Profile { hit_ids: HitIds::Place, ..Profile::default() };
    let told =
        wire::Breakpoint { id: Some(1), verified: true, line: Some(5), ..Default::default() };
    for job in set.take_jobs(&place) {
        set.apply(&job, std::slice::from_ref(&told), &place);
    }
    assert_eq!(set.at(&a, 5, "tax", &place), [ids[2]]);
    assert_eq!(set.at(&other, 5, "tax", &place), [ids[2]]);
    assert!(!set.is_unsure(&[1], &place));
    // An adapter that refuses the condition has not set it either.
    set.edit(
        BreakpointEdit::default(),
        vec![BreakpointSpec { condition: Some("x".into()), ..at(5) }.into()],
    )
    .unwrap();
    assert!(set.is_unsure(&[1], &place));
    let refused = wire::Breakpoint { message: Some("no such name".into()), ..Default::default() };
    for job in set.take_jobs(&place) {
        set.apply(&job, std::slice::from_ref(&refused), &place);
    }
    set.name_all(vec![(ids[0], Nearest::Lines(vec![5]))], &place);
    assert!(matches!(set.get(ids[0]).unwrap().binding, Binding::BadCondition { .. }));
    assert_eq!(set.at(&a, 5, "tax", &place), [ids[2]]);
    assert!(!set.is_unsure(&[1], &place));
}

fn at(line: u32) -> BreakpointSpec {
    BreakpointSpec::at(Place::Line { path: "/a".into(), line, column: None })
}

type Edit<'a> = &'a dyn Fn(&[BreakpointId]) -> BreakpointEdit;

/// Lines 1 and 2 are kept, and a session is told these, with their numbers.
#[track_caller]
fn mirrors(told: &[Edit<'_>], want: &str) {
    let mut set = Breakpoints::new(9);
    let ids = set.edit(BreakpointEdit::default(), vec![at(1).into(), at(2).into()]).unwrap();
    told.iter().for_each(|edit| set.mirror(&edit(&ids)));
    let word = |one: Breakpoint| {
        let condition = one.spec.condition.map(|text| format!(" if {text}")).unwrap_or_default();
        format!("{}{}{condition}", one.spec.place, if one.enabled { "" } else { " off" })
    };
    assert_eq!(set.list().into_iter().map(word).collect::<Vec<_>>().join(", "), want);
}

/// What a session has had done to it is done to those kept; nothing that is its own alone comes to
/// them.
#[test]
fn kept_breakpoints_follow_and_gain_none() {
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

/// Places count, once each, and what goes makes room.
#[test]
fn there_is_room_for_so_many_places() {
    let mut set = Breakpoints::new(2);
    let ids = set.edit(BreakpointEdit::default(), vec![at(1).into(), at(2).into()]).unwrap();
    let (none, new) = (BreakpointEdit::default, [at(2).place, at(3).place]);
    let fits = |edit: BreakpointEdit, new: &[Place]| set.check_room(&edit, new.iter()).is_ok();
    assert!(!fits(none(), &new));
    assert!(fits(none(), &new[..1]));
    assert!(fits(BreakpointEdit { remove: vec![ids[0]], ..none() }, &new));
    assert!(fits(BreakpointEdit { clear: true, ..none() }, &new));
}

/// Where no words were kept, those of a session are its own.
#[test]
fn kept_words_for_exceptions_follow() {
    let words = |word: &str| Some(vec![word.to_owned()]);
    let edit = |word: &str| BreakpointEdit { exceptions: words(word), ..BreakpointEdit::default() };
    let mut set = Breakpoints::new(9);
    set.mirror(&edit("all"));
    assert_eq!(set.exceptions(), None);
    set.edit(edit("all"), Vec::new()).unwrap();
    set.mirror(&edit("none"));
    assert_eq!(set.exceptions(), words("none").as_deref());
}
