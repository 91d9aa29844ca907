//! Who has a session: a person takes it and gives it back; whose calls are whose.

use super::Handle;
use crate::session::Error;
use crate::session::claim::{ClaimId, Deed, Door, GivenBack, Mark};
use crate::session::live::LiveEvent;

impl Handle {
    /// The same session for calls from another door.
    pub(in crate::session) fn by(self, door: Door) -> Self {
        Self { door, ..self }
    }

    /// The same session for calls from an editor.
    pub fn by_editor(self) -> Self {
        self.by(Door::Editor)
    }

    /// Where the calls come from.
    pub fn door(&self) -> Door {
        self.door
    }

    /// Takes the session for the person at this door: agents read it and do not change it. False:
    /// the person had it before, or an editor shares what a terminal has.
    ///
    /// # Errors
    /// The session has ended.
    pub fn take(&self) -> Result<bool, Error> {
        self.need_open()?;
        let is_new = self.claim.take(&self.id, self.door);
        if is_new {
            self.live.send(|| LiveEvent::Taken);
        }
        Ok(is_new)
    }

    /// Gives the session back, whoever has it. False: nobody had it.
    pub fn give(&self) -> bool {
        let was_taken = self.claim.give(&self.id, self.is_over());
        self.returned(was_taken)
    }

    /// Gives the session back if an editor has it, and if it was given back as often as when the
    /// editor took it. False: it is somebody else's by now.
    pub fn give_of_editor(&self, returns: u64) -> bool {
        let was_taken = self.claim.give_of_editor(returns);
        self.returned(was_taken)
    }

    fn returned(&self, was_taken: bool) -> bool {
        if was_taken {
            self.live.send(|| LiveEvent::Given);
        }
        was_taken
    }

    /// The claim on the session; a restart takes it along.
    pub fn claim(&self) -> ClaimId {
        self.claim.id()
    }

    /// How often the session was given back.
    pub fn returns(&self) -> u64 {
        self.claim.returns()
    }

    /// Whether a person has the session, which has not ended.
    pub fn is_taken(&self) -> bool {
        self.claim.is_taken() && !self.is_over()
    }

    /// Whether a person has the session and the calls of this handle are not the person's.
    pub fn is_barred(&self) -> bool {
        self.door == Door::Agent && self.is_taken()
    }

    /// Waits until nobody has the session, or until its end.
    pub async fn given(&self) {
        tokio::select! {
            () = self.claim.given() => {}
            () = self.over() => {}
        }
    }

    /// Refuses a change while somebody else has the session.
    pub(in crate::session) fn permit(&self) -> Result<(), Error> {
        if self.is_barred() {
            return Err(Error::Taken { session: self.id.to_string() });
        }
        Ok(())
    }

    /// What a person did with the session since a mark, once it is back.
    pub fn given_back(&self, since: Mark) -> Option<GivenBack> {
        self.claim.since(since, self.is_over().then_some(&self.id))
    }

    /// A call about this session begins.
    pub fn called(&self, call: impl FnOnce() -> String) {
        if self.door.is_person() {
            self.claim.note_use();
        }
        self.live.send(|| LiveEvent::Called(self.door, call()));
    }

    /// A call about this session is answered. `deed`: what its agent reads about it if a person
    /// made it.
    pub fn answered(&self, tool: &'static str, answer: &str, deed: impl FnOnce() -> Option<Deed>) {
        self.live.send(|| LiveEvent::Answered(self.door, tool, answer.to_owned()));
        if !self.door.is_person() {
            return;
        }
        self.claim.note_use();
        if let Some(deed) = deed() {
            self.claim.add(deed);
        }
    }
}
