//! Stops of several threads at once, of which the adapter reports one. Before a move the script
//! `other_stops.py` reports the next of the others, which takes the place of the move, or that
//! there is none; then the move is sent. Knows the order of messages; does not know why a thread
//! stopped.
//!
//! The script says at a stop whether several threads have stopped, but this message may arrive
//! after the stop (debug_session.rs, `select!`): the script is queried also if nothing of the stop
//! was read yet.

use dapdock_plugin::hooks::{Event, Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::{function_breakpoints, runtime};

/// The keys of the script's reports: that several threads have stopped, and the next stop.
const SEVERAL: &str = "other_stops";
const NEXT: &str = "other_stop";

/// The stops of other threads, as the plugin stores them.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct OtherStops {
    /// There may be more.
    exist: bool,
    /// Nothing of the current stop was read.
    is_new: bool,
    /// The threads whose stops are reported.
    reported: Vec<i64>,
    /// The last move was a step.
    stepped: bool,
    /// The command and the arguments of the move that waits for the script.
    waiting: Option<(String, Value)>,
}

/// What follows a report of the script.
pub enum Next {
    Nothing,
    /// The stop of another thread.
    Stop(Event),
    /// No thread has another stop.
    Move(Request),
}

impl OtherStops {
    /// The adapter has reported a stop of this thread.
    pub fn on_stopped(&mut self, thread: i64) {
        (self.reported, self.is_new) = (vec![thread], true);
    }

    /// Variables of the current stop are read: all messages before it have arrived.
    pub fn on_scopes(&mut self) {
        self.is_new = false;
    }

    /// LLDB runs no script at the stop of a pause.
    pub fn on_paused(&mut self) {
        self.exist = true;
    }

    /// The stop of a pause that was requested before the move was sent: LLDB ignores an interrupt
    /// of a program that stands.
    pub fn paused(&self) -> Event {
        let thread = self.reported.last();
        let body = json!({"reason": "pause", "threadId": thread, "allThreadsStopped": true});
        Event::custom("stopped", body)
    }

    /// Lets the script report another stop before a move. None: there is none.
    pub fn on_move(&mut self, request: &Request) -> Option<RequestAction> {
        if !self.exist && !self.is_new {
            self.stepped = runs_one_thread(request);
            return None;
        }
        let stepped = if self.stepped { "True" } else { "False" };
        let threads = json!(self.reported);
        let report = format!("script import other_stops; other_stops.report({threads}, {stepped})");
        self.waiting = Some((request.command().to_owned(), request.raw().clone()));
        let report = Request::new::<dap::Evaluate>(runtime::evaluate(report, "_command"));
        Some(RequestAction::in_turn([report]))
    }

    /// Reads a report of the script. None: the event is another one.
    pub fn on_event(&mut self, event: &Event) -> Option<Next> {
        if event.name() != function_breakpoints::PYTHON_MESSAGE {
            return None;
        }
        if event.raw()[SEVERAL] == true {
            self.exist = true;
            return Some(Next::Nothing);
        }
        let stop = event.raw().get(NEXT)?;
        let Some((command, arguments)) = self.waiting.take() else { return Some(Next::Nothing) };
        if let Some(thread) = stop["threadId"].as_i64() {
            self.reported.push(thread);
            (self.exist, self.is_new) = (true, false);
            return Some(Next::Stop(Event::custom("stopped", stop.clone())));
        }
        (self.exist, self.is_new) = (false, false);
        let request = Request::custom(&command, arguments);
        self.stepped = runs_one_thread(&request);
        Some(Next::Move(request))
    }
}

/// Does the request resume the program?
pub fn is_move(request: &Request) -> bool {
    request.is::<dap::Continue>()
        || request.is::<dap::Next>()
        || request.is::<dap::StepIn>()
        || request.is::<dap::StepOut>()
}

/// May the move run one thread alone?
fn runs_one_thread(request: &Request) -> bool {
    !request.is::<dap::Continue>() || request.raw()["singleThread"] == true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: Value) -> Event {
        Event::custom(function_breakpoints::PYTHON_MESSAGE, body)
    }

    fn run() -> Request {
        Request::new::<dap::Continue>(dap::ContinueArguments { thread_id: 1, ..Default::default() })
    }

    fn stopped(exist: bool) -> OtherStops {
        let mut stops = OtherStops::default();
        stops.on_stopped(1);
        if exist {
            stops.on_event(&message(json!({"other_stops": true})));
        }
        stops.on_scopes();
        stops
    }

    #[test]
    fn move_from_the_stop_of_one_thread_is_sent() {
        assert!(stopped(false).on_move(&run()).is_none());
        assert!(is_move(&run()));
        assert!(!is_move(&Request::custom("threads", json!({}))));
    }

    #[test]
    fn move_from_a_stop_that_was_not_read_waits_for_the_script() {
        let mut stops = stopped(false);
        stops.on_stopped(1);
        assert!(stops.on_move(&run()).is_some());
        let mut stops = stopped(false);
        stops.on_paused();
        assert!(stops.on_move(&run()).is_some());
    }

    #[test]
    fn pause_before_a_move_is_sent_is_of_the_last_stop() {
        let mut stops = stopped(true);
        assert!(stops.on_move(&run()).is_some());
        assert_eq!(stops.paused().raw()["threadId"], 1);
        assert_eq!(stops.paused().of::<dap::Stopped>().unwrap().reason, "pause");
    }

    #[test]
    fn stop_of_another_thread_takes_the_place_of_a_move() {
        let mut stops = stopped(true);
        let Some(RequestAction::Expand(sent)) = stops.on_move(&run()) else {
            panic!("the move is sent")
        };
        assert!(sent[0].arguments.contains("report([1], False)"), "{sent:?}");
        let stop = json!({"threadId": 2, "reason": "breakpoint", "hitBreakpointIds": [7]});
        let Some(Next::Stop(event)) = stops.on_event(&message(json!({"other_stop": stop}))) else {
            panic!("the stop is not reported")
        };
        assert_eq!(event.raw(), &stop);
        let over = Request::custom("next", json!({"threadId": 2}));
        let Some(RequestAction::Expand(sent)) = stops.on_move(&over) else {
            panic!("the move is sent")
        };
        assert!(sent[0].arguments.contains("report([1,2], False)"), "{sent:?}");
        let Some(Next::Move(sent)) = stops.on_event(&message(json!({"other_stop": null}))) else {
            panic!("the move is not sent")
        };
        assert_eq!(sent, over);
        stops.on_stopped(2);
        let Some(RequestAction::Expand(sent)) = stops.on_move(&run()) else {
            panic!("the move is sent")
        };
        assert!(sent[0].arguments.contains("report([2], True)"), "{sent:?}");
    }
}
