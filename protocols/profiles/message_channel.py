"""The driver's end of a wire that carries a profile's messages, on a serial line or on MQTT topics."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, WireError
from feltrig.protocols.messages import EventBatch, Reply, Request, Value, Values
from feltrig.protocols.profiles.dialogue import CommandForm, Dialogue, Parcel
from feltrig.protocols.profiles.fields import ERROR, TOKEN, fitted
from feltrig.protocols.profiles.listener import ReportReader
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.vocabulary import Command, Error

TRIES = 3
"""How often a command is sent that the device says it could not read, and nothing else until the deadline: it has not
acted on it."""
SILENT_AFTER = 4
"""Reports of the state that may fail to come before the device is called silent."""


class MessageLine(Protocol):
    """What carries the messages. `hear` gets each one, `noise` is told of bytes that make none, `lost` of the end."""

    name: str

    async def open(
        self, hear: Callable[[Parcel], None], noise: Callable[[str], None], lost: Callable[[str], None]
    ) -> None:
        """Open the line. Fails with LineLost."""

    async def close(self) -> None:
        """Close it; may be called twice."""

    def send(self, parcel: Parcel) -> None:
        """Send a message. Fails with LineLost."""


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
        elif reply is not None and not self.answer.done():
            self.answer.set_result(reply)
        return reply is not None

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

    async def _first_report(self) -> None:
        """A device that reports its state by itself is waited for until it has done so once."""
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
        if form.answer is None and form.refused is None:
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
                # nothing on such a wire tells a late answer from the next one, so there is no next one
                self._trouble = self._silence(f"{request.command}: no answer within {self._deadline:g} s")
                raise self._trouble from exc
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
        log, lost = self._listener.log, self._listener.lost
        before = log.status()
        if not self._listener.hear(parcel):
            self._noise(f"a message that it does not know: {parcel.payload[:40]!r}")
            return
        if self._listener.lost > lost and (self.spoilt or self._profile.wire == "serial"):
            # a serial line may be deaf and not show it, and nobody can ask again: the gap says nothing about the device
            self._trouble = Garbage(f"{self._line.name}: a report was lost: {self.spoilt or 'it never came'}")
        elif log.status() != before:
            self.spoilt = ""
        self._heard_noise = ""
        self._understood = True
        if self._reports:
            self._last_report = asyncio.get_running_loop().time()
            self._reported.set()
        if log.status() != before:
            self._news = True
            self._wake_all()

    def _noise(self, what: str) -> None:
        self._heard_noise = what
        if self._profile.wire != "serial":
            return  # on a topic there may be messages for others; what a broker hands over is whole
        self.spoilt = what
        if self._unnumbered and self._understood:
            self._trouble = Garbage(f"{self._line.name}: {what}: it may have been a report")

    def _lost(self, reason: str) -> None:
        self._broken = True
        self.spoilt = "the line was lost"
        self._end(reason)

    def _end(self, reason: str) -> None:
        self._trouble = LineLost(f"{self._line.name}: {reason}")
        self._reported.set()
        if self._question is not None and not self._question.answer.done():
            self._question.answer.set_exception(self._trouble)
        self._wake_all()

    def _wake_all(self) -> None:
        for idler in self._idlers:
            _wake(idler)


def _wake(idler: asyncio.Future[None]) -> None:
    if not idler.done():
        idler.set_result(None)
