"""The driver's end of a wire that carries a profile's messages, on a serial line or on MQTT topics."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Protocol

from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, WireError
from feltrig.protocols.messages import (
    NO_FRAME,
    UNKNOWN_MESSAGE,
    WRONG_CHECK,
    EventBatch,
    Reply,
    Request,
    Unread,
    Value,
    Values,
)
from feltrig.protocols.profiles.dialogue import CommandForm, Dialogue, Parcel, Poll, Saying
from feltrig.protocols.profiles.fields import ERROR, TOKEN, fitted
from feltrig.protocols.profiles.listener import ReportReader
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.vocabulary import Command, Error

TRIES = 3
"""How often a command is sent that the device says it could not read, and nothing else until the deadline: it has not
acted on it."""
SILENT_AFTER = 4
"""Reports of the state that may fail to come before the device is called silent."""
MOST_POLLED = 64
"""Reports that are fetched in one go from a device that is polled."""
SETTLE = 0.2
"""Seconds after which a device that was sent something wrong on purpose is asked again."""
MOST_UNREAD = 1024
"""Of what could not be read, how much is kept."""


class MessageLine(Protocol):
    """What carries the messages. `hear` gets each one, `noise` gets what makes none, `lost` is told of the end."""

    name: str

    async def open(
        self, hear: Callable[[Parcel], None], noise: Callable[[Unread], None], lost: Callable[[str], None]
    ) -> None:
        """Open the line. Fails with LineLost."""

    async def close(self) -> None:
        """Close it; may be called twice."""

    def send(self, parcel: Parcel) -> None:
        """Send a message. Fails with LineLost."""

    def send_raw(self, parcel: Parcel) -> None:
        """Send bytes as they are, without a frame. Fails with LineLost."""


class _Question:
    """The command that is open, and the future of its answer."""

    def __init__(self, command: Command, form: CommandForm, request: Request, answer: asyncio.Future[Reply]) -> None:
        self._command = command
        self._form = form
        self._request = request
        self.answer = answer
        self.unread: Reply | None = None
        """The device says that it could not read something: the command, unless a better answer comes in time."""

    def take(self, parcel: Parcel) -> bool:
        """Whether the message answers the question."""
        reply = self._reply(parcel)
        if reply is not None and reply.error is Error.MALFORMED and not self._form.echoes_token():
            self.unread = reply
        elif reply is not None:
            self.resolve(reply)
        return reply is not None

    def told(self, event: str | None) -> None:
        """An event was reported, which may be the answer too."""
        if event is not None and event == self._form.answered_by:
            self.resolve(Reply())

    def resolve(self, reply: Reply) -> None:
        """The answer has come."""
        if not self.answer.done():
            self.answer.set_result(reply)

    def _reply(self, parcel: Parcel) -> Reply | None:
        form = self._form
        if form.answer is not None:
            read = form.answer.read(parcel)
            if read is not None and self._echoes(read):
                fields = {field.name: field for field in self._command.reply}
                fitting = {name: fitted(fields[name], value) for name, value in read.items() if name in fields}
                values = {name: value for name, value in fitting.items() if value is not None}
                return Reply(Error.OK, values) if len(values) == len(fitting) else None
        if form.refused is not None:
            read = form.refused.read(parcel)
            if read is not None and self._echoes(read):
                error = fitted(ERROR, read.get(ERROR.name, Error.WRONG_STATE))
                return Reply(Error(error)) if isinstance(error, int) and error else None
        return None

    def _echoes(self, read: Values) -> bool:
        """Whether what the answer repeats of the question is that of this one."""
        asked = {**self._request.values, TOKEN: self._request.token}
        reply = {field.name for field in self._command.reply}
        return all(read[name] == value for name, value in asked.items() if name in read and name not in reply)


class MessageChannel:
    """A Channel to a device that talks as its profile says. What the wire lacks is supplied from the profile's label,
    from the last report, or by numbering what comes. A command is sent again only if the device could not read it."""

    def __init__(self, profile: Profile, line: MessageLine, deadline: float) -> None:
        assert isinstance(profile.talk, Dialogue)
        self._profile = profile
        self._dialogue = profile.talk
        self._line = line
        self._deadline = deadline
        self._lock = asyncio.Lock()
        self._listener = ReportReader(profile.kind, self._dialogue)
        self._question: _Question | None = None
        self._trouble: WireError | None = LineLost(f"{line.name}: not open")
        self._heard_noise = ""
        self.unread: list[Unread] = []
        self.spoilt = ""
        """What happened on the line, since the last report that follows the one before, and may have cost a report."""
        self._understood = False
        # without numbers a lost report is not missed: noise and a lost line must not pass for a machine's silence
        self._unnumbered = not self._dialogue.numbered()
        self._broken = False
        self._news = False
        self._idlers: set[asyncio.Future[None]] = set()
        self._period = min((saying.every for saying in self._dialogue.says if saying.every), default=0.0)
        self._reports = any(saying.status for saying in self._dialogue.says)
        self._reported = asyncio.Event()
        self._last_report = 0.0
        self._bears = False
        """Whether what cannot be read, and silence, are no trouble: the device was sent something wrong on purpose."""
        self._polled: asyncio.Future[bool] | None = None
        """Whether the device, just polled, may have more to report."""
        self._next_poll = 0.0
        self._tokens = 0
        self._unconfirmed: tuple[str, int] | None = None
        """The command, by name and token, of which it is not known whether the device has acted on it; a question in
        between, such as who is there after the line was lost, leaves that open."""

    async def open(self) -> None:
        await self._line.open(self._hear, self._noise, self._lost)
        self._trouble = None
        if self._broken and self._unnumbered:
            self._trouble = Garbage(
                f"{self._line.name}: the line was lost, and with it perhaps reports that have no number"
            )
        self._reported.clear()
        self._last_report = asyncio.get_running_loop().time()

    async def close(self) -> None:
        self._end("closed")
        await self._line.close()

    def begin_anew(self) -> None:
        """The device has lost its power: neither an answer nor a report of before can come any more."""
        if not isinstance(self._trouble, LineLost):
            self._trouble = None
        self._unconfirmed = None
        self.spoilt = self._heard_noise = ""

    async def request(self, request: Request) -> Reply:
        """Send a command, or answer in the place of a device whose wire does not carry it."""
        async with self._lock:
            self._check()
            match request.command:
                case "identify":
                    return await self._identify()
                case "status":
                    return await self._status()
            form = self._dialogue.commands.get(request.command)
            if form is None:
                return Reply(Error.UNKNOWN_COMMAND)
            if form.message is None:
                await self._first_report()
                return self._remembered(form)
            return await self._carry(form, request)

    async def events(self, after: int) -> EventBatch:
        """The events that have come after a number, and the state as last reported."""
        self._check()
        self._news = False
        self._check_alive()
        if self._dialogue.poll is not None:
            async with self._lock:
                await self._fetch(self._dialogue.poll)
        return self._listener.log.after(after)

    async def idle(self, seconds: float) -> None:
        """Wait, but not when something has come that `events` has not fetched."""
        if self._news or self._trouble is not None:
            return
        loop = asyncio.get_running_loop()
        idler = loop.create_future()
        self._idlers.add(idler)
        timer = loop.call_later(seconds, _wake, idler)
        try:
            await idler
        finally:
            timer.cancel()
            self._idlers.discard(idler)

    async def provoke(self, wrong: Parcel, seconds: float) -> None:
        """Send bytes that are wrong on purpose, as they are, and listen for a while. Whatever the device says to them
        is no trouble."""
        async with self._lock:
            self._check()
            before, self._bears = self._state_of_line(), True
            try:
                self._line.send_raw(wrong)
                await asyncio.sleep(seconds)
            finally:
                self._bears = False
                self._restore(before)

    async def attempt(self, request: Request) -> Reply:
        """Send a command as `request` does, but go on after silence and after what cannot be read: for trying out a
        profile. Raises WireError."""
        self._bears = True
        try:
            return await self.request(request)
        finally:
            self._bears = False

    async def still_answers(self, command: str) -> bool:
        """Whether the device answers a question with one of the profile's messages, asked again if need be: what it was
        sent before may have hidden the first try."""
        for _ in range(TRIES):
            before = self._state_of_line()
            self._bears = True
            try:
                await self.request(Request(command))
            except (NoAnswer, Garbage):
                await asyncio.sleep(SETTLE)
            else:
                return True
            finally:
                self._bears = False
                self._restore(before)
        return False

    def _state_of_line(self) -> tuple[str, str, list[Unread]]:
        return self.spoilt, self._heard_noise, self.unread

    def _restore(self, before: tuple[str, str, list[Unread]]) -> None:
        self.spoilt, self._heard_noise, self.unread = before

    async def _identify(self) -> Reply:
        said: Values = {}
        form = self._dialogue.commands.get("identify")
        if form is not None and form.message is not None:
            reply = await self._carry(form, Request("identify"))
            if reply.error:
                return reply
            said = reply.values
        return Reply(Error.OK, {"kind": self._profile.kind.code, **self._profile.label, **said})

    async def _status(self) -> Reply:
        form = self._dialogue.commands.get("status")
        if form is not None and form.message is not None:
            reply = await self._carry(form, Request("status"))
            if reply.error:
                return reply
            self._listener.state(reply.values)
            if self._dialogue.poll is not None:  # what it has not been asked for yet is of the past too
                await self._fetch(self._dialogue.poll)
        else:
            await self._first_report()
        return self._listener.log.status().reply()

    def _remembered(self, form: CommandForm) -> Reply:
        values: dict[str, Value] = {}
        for field, source in form.remembered.items():
            if source not in self._listener.reported:
                return Reply(Error.EMPTY)
            values[field] = self._listener.reported[source]
        return Reply(Error.OK, values)

    async def _fetch(self, poll: Poll) -> None:
        """Poll the device until it has nothing more to report."""
        loop = asyncio.get_running_loop()
        for _ in range(MOST_POLLED):
            self._check()
            await asyncio.sleep(max(self._next_poll - loop.time(), 0))
            self._next_poll = loop.time() + poll.every
            self._polled = loop.create_future()
            try:
                self._line.send(poll.message.write({}))
                async with asyncio.timeout(self._deadline):
                    if not await self._polled:
                        return
            except TimeoutError as exc:
                self._trouble = self._silence(f"polled: no answer within {self._deadline:g} s")
                raise self._trouble from exc
            finally:
                self._polled = None

    async def _first_report(self) -> None:
        """A device that reports its state by itself is waited for until it has done so once."""
        if self._dialogue.poll is not None:
            await self._fetch(self._dialogue.poll)
            return
        if not self._reports:
            return
        try:
            async with asyncio.timeout(max(self._deadline, self._period)):
                await self._reported.wait()
        except TimeoutError as exc:
            raise self._silence("no report of its state") from exc
        self._check()
        self._check_alive()

    async def _carry(self, form: CommandForm, request: Request) -> Reply:
        assert form.message is not None
        if self._unconfirmed == (request.command, request.token):
            raise NoAnswer(
                f"{self._line.name}: {request.command}: the line was lost before its answer; if it is sent again it "
                "might run twice"
            )
        if any(request.values.get(name) != value for name, value in form.values.items()):
            return Reply(Error.BAD_ARGUMENT)
        self._listener.tell(request)
        for _ in range(TRIES):
            self._tokens += 1
            try:
                parcel = form.message.write({**request.values, TOKEN: self._tokens})
                reply = await self._ask(form, request, parcel)
            except ValueError:
                return Reply(Error.BAD_ARGUMENT)  # the message or its frame has no room for it
            if reply.error is not Error.MALFORMED:
                return reply
        raise Garbage(f"{self._line.name}: {request.command}: the device could not read it in {TRIES} tries")

    async def _ask(self, form: CommandForm, request: Request, parcel: Parcel) -> Reply:
        self._heard_noise = ""
        self._line.send(parcel)
        if form.answer is None and form.refused is None and form.answered_by is None:
            return Reply()
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        command = self._profile.kind.commands[request.command]
        numbered = Request(request.command, request.values, self._tokens)
        question = self._question = _Question(command, form, numbered, answer)
        if command.acts:
            self._unconfirmed = (request.command, request.token)
        try:
            async with asyncio.timeout(self._deadline):
                reply = await answer
        except TimeoutError as exc:
            if question.unread is None:
                silence = self._silence(f"{request.command}: no answer within {self._deadline:g} s")
                if not self._bears:
                    # nothing on such a wire tells a late answer from the next one, so there is no next one
                    self._trouble = silence
                raise silence from exc
            # it may have been noise before the command that was not read: only now no answer to that can follow
            reply = question.unread
        except asyncio.CancelledError:
            if answer.cancelled() and not form.echoes_token():
                self._trouble = NoAnswer(f"{self._line.name}: {request.command}: given up before its answer came")
            raise
        finally:
            self._question = None
        if command.acts:
            self._unconfirmed = None
        return reply

    def _check(self) -> None:
        if self._trouble is not None:
            raise type(self._trouble)(*self._trouble.args)

    def _check_alive(self) -> None:
        patience = max(self._deadline, SILENT_AFTER * self._period)
        if self._period and asyncio.get_running_loop().time() - self._last_report > patience:
            raise self._silence(f"no report of its state for {patience:g} s")

    def _silence(self, what: str) -> WireError:
        if self._heard_noise:
            return Garbage(f"{self._line.name}: {what}, but {self._heard_noise}")
        return NoAnswer(f"{self._line.name}: {what}")

    def _hear(self, parcel: Parcel) -> None:
        if self._question is not None and self._question.take(parcel):
            self._understood = True
            return
        poll = self._dialogue.poll
        if poll is not None and poll.nothing is not None and poll.nothing.read(parcel) is not None:
            self._understood = True
            self._answer_poll(more=False)
            return
        log, lost = self._listener.log, self._listener.lost
        before = log.status()
        saying = self._listener.hear(parcel)
        if saying is None:
            self._noise(Unread(UNKNOWN_MESSAGE, parcel.payload))
            return
        if self._listener.lost > lost and (self.spoilt or self._profile.wire == "serial"):
            # a serial line may be deaf and not show it, and nobody can ask again: the gap says nothing about the device
            self._trouble = Garbage(f"{self._line.name}: a report was lost: {self.spoilt or 'it never came'}")
        elif log.status() != before:
            self.spoilt = ""
        self._heard_noise = ""
        self._understood = True
        self._follow_up(saying, parcel)
        if self._reports:
            self._last_report = asyncio.get_running_loop().time()
            self._reported.set()
        if log.status() != before:
            self._news = True
            self._wake_all()

    def _follow_up(self, saying: Saying, parcel: Parcel) -> None:
        """What a report means beside what it says: it answers a poll or a command, and may have to be acknowledged."""
        acknowledge = self._dialogue.acknowledge
        if acknowledge is not None and (saying.status or saying.event is not None):
            with contextlib.suppress(LineLost, ValueError):
                self._line.send(acknowledge.write(saying.message.read(parcel) or {}))
        self._answer_poll(more=not saying.status)
        if self._question is not None:
            self._question.told(saying.event)

    def _answer_poll(self, *, more: bool) -> None:
        if self._polled is not None and not self._polled.done():
            self._polled.set_result(more)

    def _noise(self, unread: Unread) -> None:
        if unread.why == WRONG_CHECK and not (self._understood and self._readable(unread.data)):
            unread = Unread(NO_FRAME, unread.data)
        self.unread = [*self.unread[-MOST_UNREAD:], unread]
        self._heard_noise = str(unread)
        if self._profile.wire != "serial":
            return  # on a topic there may be messages for others; what a broker hands over is whole
        self.spoilt = str(unread)
        if self._unnumbered and self._understood and not self._bears:
            self._trouble = Garbage(f"{self._line.name}: {unread}: it may have been a report")

    def _readable(self, payload: bytes) -> bool:
        """Whether the bytes are a message of the profile: then the check is all that was wrong."""
        parcel = Parcel("", payload)
        forms = self._dialogue.commands.values()
        said = [message for form in forms for message in (form.answer, form.refused) if message is not None]
        said += [saying.message for saying in self._dialogue.says]
        if self._dialogue.poll is not None and self._dialogue.poll.nothing is not None:
            said.append(self._dialogue.poll.nothing)
        return any(message.read(parcel) is not None for message in said)

    def _lost(self, reason: str) -> None:
        self._broken = True
        self.spoilt = "the line was lost"
        self._end(reason)

    def _end(self, reason: str) -> None:
        self._trouble = LineLost(f"{self._line.name}: {reason}")
        self._reported.set()
        for waiting in (self._polled, None if self._question is None else self._question.answer):
            if waiting is not None and not waiting.done():
                waiting.set_exception(self._trouble)
        self._wake_all()

    def _wake_all(self) -> None:
        for idler in self._idlers:
            _wake(idler)


def _wake(idler: asyncio.Future[None]) -> None:
    if not idler.done():
        idler.set_result(None)
