"""The contents of a report, as ISO/IEC 17025 7.8.2.1 lists them: one function for each part, all of them functions of
the journal and of what the laboratory says of itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.records import Attested, Challenged
from feltrig.harness.judge.decision import sampler_of
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding, Verdict, under_test
from feltrig.harness.judge.judgement import Judgement
from feltrig.harness.judge.limits import limit_words
from feltrig.harness.judge.planned import Planned
from feltrig.harness.plan.shortened import shortened
from feltrig.harness.reports import results
from feltrig.harness.reports.blocks import Block, Cell, Code, Facts, Gap, Mark, Paragraph, Report, Section, Table
from feltrig.harness.reports.lab import KEYS, Lab
from feltrig.harness.reports.sampled import statistics


@dataclass(frozen=True, slots=True)
class Source:
    """What a report is made of."""

    judgement: Judgement
    lab: Lab
    key: str | None = None
    """The id of the key that signed the certificate, None when there is none."""
    torn: bool = False
    """Whether the journal ends in the middle of a line."""
    contradicted: bool = False
    """Whether the verdict kept with the journal is not the one that this program draws from it."""
    wrong_certificate: str | None = None
    """What is wrong with the certificate that is kept with it."""


SAYS = {
    "certified": "conforms: it meets every requirement that was tested, and no required test is missing",
    "refused": "does not conform: it does not meet at least one requirement",
    "rehearsed": "was rehearsed: nothing failed in a shortened plan. This is not a statement of conformity",
    "no failure seen": "showed no failure in rounds without a plan. This is not a statement of conformity",
    "inconclusive": "was not shown to conform or to fail: a required test is missing",
}
"""What each verdict states of the item."""

NOTICES = (
    "The results relate only to the items tested, as they were identified in this report.",
    "This report shall not be reproduced except in full, without the written approval of the laboratory.",
)


def report(source: Source) -> Report:
    """The whole report."""
    judgement = source.judgement
    evidence, written, found, chosen = judgement.evidence, judgement.verdict, judgement.findings, judgement.planned
    number = report_number(evidence)
    shown = results.shown_of(evidence, written, found)
    parts = [
        Section("What failed and what is missing", _against(written, found)),
        Section("Items under test", _items(evidence, written, chosen)),
        Section("Results", results.matrix(evidence, shown, found)),
        Section("Method and scope", _method(evidence, written, chosen)),
        Section("Conformity and decision rule", _decision_rule(written, chosen)),
        Section("Statistics", statistics(judgement)),
        Section("Provoked irregularities", results.drills(evidence, shown)),
        Section("Timings", results.timing(judgement)),
        Section("Inspector's checklist", results.checklist(evidence)),
        Section("Deviations and incidents", results.deviations(evidence, source.torn)),
        Section("Clauses not tested", results.untested(found)),
        Section("Authorisation", _authorisation(source, written)),
        Section("Appendix: journal excerpts", results.appendix(evidence, shown)),
    ]
    return Report(
        number=number,
        title="Test report",
        subject=_subject(written, chosen),
        verdict=written["verdict"],
        statement=f"{_subject(written, chosen)} {SAYS[written['verdict']]}.",
        cover=_cover(source, written, chosen, number),
        notices=(*_reservations(source, chosen), *NOTICES),
        sections=tuple(parts),
    )


def report_number(evidence: Evidence) -> str:
    """The unique id of the report of a journal: the day that it began, and what seals it."""
    return f"FR-{evidence.all[0].t[:10].replace('-', '')}-{evidence.all[-1].hash[:12].upper()}"


def _subject(written: Mapping[str, Any], chosen: Planned | None) -> str:
    if chosen is None or chosen.device not in written["devices"]:
        return f"The rig {written['rig']}, {_many(len(written['devices']), 'device')},"
    device = written["devices"][chosen.device]
    identity, made = device["identity"], "an emulated" if device["emulated"] else "a physical"
    return f"{identity['vendor']} {identity['model']}, serial number {identity['serial']}, {made} {chosen.plan.kind},"


def _reservations(source: Source, chosen: Planned | None) -> Iterable[str]:
    emulated = [name for name, device in source.judgement.verdict["devices"].items() if device["emulated"]]
    if source.contradicted:
        yield "The verdict.json kept with the run is not the verdict that this program draws from the journal."
    if source.wrong_certificate:
        yield f"The certificate kept with the run is not valid: it {source.wrong_certificate}."
    yield from map(limit_words, source.judgement.verdict["limits"])
    if emulated:
        yield f"Emulated in this run, not physical: {', '.join(emulated)}. No result on them is that of a real machine."
    if not any(source.judgement.evidence.of(Attested)):
        yield "The run has no inspector's checklist: what only an inspector can confirm is not covered."
    if chosen is None:
        yield (
            "The run followed no plan: it certifies nothing and is not signed. No statistical decision was taken, and "
            "no time was limited."
        )
    elif less := shortened(chosen.plan):
        yield f"The run was a rehearsal of {chosen.plan.base}, which certifies nothing: {'; '.join(less)}."


def _cover(source: Source, written: Mapping[str, Any], chosen: Planned | None, number: str) -> Facts:
    evidence = source.judgement.evidence
    rows: list[tuple[str, Cell]] = [("report", Code(number))]
    told = ("report", "name", "address", "accreditation", "location", "environment", "customer", "customer_address")
    rows += [(KEYS[key], _said(source.lab, key)) for key in told]
    rows += [
        ("item", _subject(written, chosen).rstrip(",")),
        (KEYS["received"], _said(source.lab, "received")),
        (KEYS["condition"], _said(source.lab, "condition")),
        ("tests started", _moment(evidence.all[0].t)),
        ("tests ended", _moment(evidence.all[-1].t)),
        (KEYS["issued"], _said(source.lab, "issued")),
        ("rules", f"{_game(written)}, {written['jurisdiction']}"),
        ("method", f"plan {chosen.plan.name}" if chosen else "rounds and drills, without a plan"),
    ]
    return Facts(tuple(rows))


def _items(evidence: Evidence, written: Mapping[str, Any], chosen: Planned | None) -> list[Block]:
    rows: list[tuple[Cell, ...]] = []
    details: list[Block] = []
    for name, device in written["devices"].items():
        identity = device["identity"]
        role = _role(name, device, written, chosen)
        made = f"{identity['vendor']} {identity['model']}"
        word = Mark(device["verdict"])
        rows.append(
            (name, role, made, identity["serial"], identity["firmware"], results.origin(device["emulated"]), word)
        )
        details.append(_identity(evidence, name, device))
    if not rows:
        return [Paragraph("No device identified itself before the run ended.", stress=True)]
    columns = {"device": 0.1, "role": 0.16, "vendor and model": 0.24, "serial number": 0.17, "firmware": 0.1}
    return [Table({**columns, "hardware": 0.1, "verdict": 0.13}, rows), *details]


def _role(name: str, device: Mapping[str, Any], written: Mapping[str, Any], chosen: Planned | None) -> str:
    if device["kind"] not in written["uses"]:
        return "not used by the game"
    if DEVICES[device["kind"]].read is not None:
        return "instrument of the rig"
    if chosen is None:
        return "in the rounds"
    return "under test" if chosen.device == name else "part of the rig"


def _identity(evidence: Evidence, name: str, device: Mapping[str, Any]) -> Facts:
    identity, submitted = device["identity"], evidence.devices[name].submitted
    rows: list[tuple[str, Cell]] = [
        (name, f"{device['kind']} on {device['wire']}, {results.origin(device['emulated'])}"),
        ("address", Code(device["where"])),
        ("reported firmware SHA-256", Code(identity["digest"])),
    ]
    for key, value in submitted.items():
        same = "as submitted" if identity.get(key) == value else f"reported: {identity.get(key)}"
        rows.append((f"submitted: {key}", f"{value} ({same})"))
    if not submitted:
        rows.append(("submitted", "nothing to compare with"))
    challenges = list(evidence.of(Challenged, name))
    for record in challenges:
        challenge = record.body
        right = challenge.error == "ok" and challenge.proof == challenge.expected
        rows.append(("salted challenge", f"{'proved' if right else 'not proved'} (record {record.seq})"))
        rows.append(("salt", Code(challenge.nonce)))
    if not challenges:
        rows.append(("salted challenge", "not made: no firmware image was submitted"))
    return Facts(tuple(rows))


def _method(evidence: Evidence, written: Mapping[str, Any], chosen: Planned | None) -> list[Block]:
    run, rounds = evidence.run, written["rounds"]
    rows: list[tuple[str, Cell]] = [
        ("program", f"feltrig {written['version']}"),
        ("computer", run.computer),
        ("rig", f"{written['rig']} ({run.source or 'embedded in the program'})"),
        ("SHA-256 of the rig file", Code(written["rig_digest"])),
        ("rules", f"{_game(written)}, {written['jurisdiction']}; a deck of {run.deck_size} cards"),
        ("seed of the run", str(written["seed"])),
        ("rounds", f"{rounds['played']} played of {rounds['asked']}, {rounds['void']} void"),
        ("ways of play", _many(len(evidence.sessions), "session")),
    ]
    if chosen is not None:
        rows.append(("plan", f"{chosen.plan.name}: {chosen.plan.title}"))
        rows.append(("SHA-256 of the plan", Code(chosen.plan.digest)))
        rows.append(("steps", ", ".join(chosen.plan.steps)))
        rows.append(("needed of a physical machine", "; ".join(chosen.plan.needs.words) or "nothing besides"))
        sampling = chosen.plan.sampling
        if sampling is not None:
            way = "until the evidence is strong enough, at most" if chosen.sequential else "exactly"
            note = sampler_of(chosen.plan).note
            rows.append(("sampling", f"{way} {sampling.most} {sampling.unit}{note and f', {note}'}"))
    rows.append(("journal", f"{written['journal']['records']} records, each chained to the one before by SHA-256"))
    rows.append(("last hash of the journal", Code(written["journal"]["hash"])))
    idle = [name for name, device in written["devices"].items() if device["kind"] not in written["uses"]]
    scope = (
        "Full rounds of the game were played on the devices over their own wires. The journal contains every request, "
        "answer and byte. What the devices report was compared with what the rig's card reader saw. All figures below "
        "are computed from the journal alone."
    )
    excluded = (
        "Not covered: the conduct of people, the construction of the machine, its electrical safety, and anything that "
        "the wire of a device does not carry. Clauses that were not tested are listed with the reason."
    )
    if idle:
        excluded += f" The game with these options does not use {', '.join(idle)}: not judged."
    return [Facts(tuple(rows)), Paragraph(scope), Paragraph(excluded)]


def _against(written: Mapping[str, Any], found: Sequence[Finding]) -> list[Block]:
    """Failures and their clauses first, then what a certificate lacks."""
    blocks: list[Block] = []
    counting = [f for f in found if under_test(written, f)]
    against = [f for f in counting if f.verdict is Verdict.FAIL]
    missing = [f for f in counting if f.verdict is Verdict.NOT_TESTED and f.required]
    others = sorted({f.device for f in found if f.verdict is Verdict.FAIL and f not in counting})
    if against or missing:
        rows = [(f.clause or "rig", f.device, f.check, Mark(f.verdict.value), f.detail) for f in (*against, *missing)]
        columns = {"clause": 0.16, "device": 0.11, "requirement": 0.27, "verdict": 0.12, "reason": 0.34}
        blocks.append(Table(columns, rows))
    else:
        blocks.append(Paragraph("No requirement failed, and no required test is missing."))
    if others:
        words = f"Devices that are not under test failed requirements: {', '.join(others)}. See verdict.json."
        blocks.append(Paragraph(words))
    return blocks


def _decision_rule(written: Mapping[str, Any], chosen: Planned | None) -> list[Block]:
    judged = f"the {chosen.device} and the table" if chosen else "all devices that the game uses and the table"
    rule = (
        f"Decision rule. The statement of conformity covers {judged}. A single occasion on which a requirement is not "
        "met leads to refusal: failures are not weighed against successes, and there is no guard band. If a required "
        "test is missing, the run is inconclusive. Nothing is decided on bytes that noise may have changed undetected."
    )
    single = (
        "Risk of false acceptance, single occasions. A fault that occurs on a share q of all occasions is missed in n "
        "occasions with probability (1 - q) to the power n: after n occasions without a failure, q is below 3/n with a "
        "confidence of 95 %. The number of occasions is given with each result."
    )
    basis = (
        "Basis. A result is “seen” if it rests on an instrument of the rig: the reader, the clock, a person's eye, the "
        "bytes on the wire. It is “claimed” if it rests on the device's own word alone. What the rig's own dealer, "
        "players and engine did is “played by the rig”: it says nothing of the device and counts for no result of it."
    )
    texts = (rule, basis, _risk(written["statistics"]), single)
    return [Paragraph(text) for text in texts]


def _risk(decided: Mapping[str, Any] | None) -> str:
    if decided is None:
        return (
            "Statistics. No statistical decision was taken in this run. The pictures below show the results; the "
            "sample is too small to accept or refuse a machine."
        )
    reason = decided["reason"].rstrip(".")
    return (
        "Statistics. One decision is taken for all tests of a device together. Risk of false refusal: a fair machine "
        f"is refused with a probability of at most {decided['level']:.2g}. Risk of false acceptance: it depends on the "
        f"defect. For the sample of {decided['sample']} {decided['unit']}: {reason}."
    )


def _authorisation(source: Source, written: Mapping[str, Any]) -> list[Block]:
    unsigned = f"it {source.wrong_certificate}" if source.wrong_certificate else "the run was not signed"
    signed: Cell = Code(source.key) if source.key else f"none: {unsigned}"
    rows: list[tuple[str, Cell]] = [
        ("statement", f"{written['verdict']}: {SAYS[written['verdict']]}"),
        ("certificate signed with the Ed25519 key", signed),
        (KEYS["authoriser"], _said(source.lab, "authoriser")),
        (KEYS["role"], _said(source.lab, "role")),
        (KEYS["issued"], _said(source.lab, "issued")),
        ("signature", "_" * 40),
    ]
    how = "`feltrig verify` checks the journal, the verdict and the certificate in the folder of the run."
    return [Facts(tuple(rows)), Paragraph(how), *(Paragraph(notice) for notice in NOTICES)]


def _said(lab: Lab, key: str) -> Cell:
    return lab.get(key) or Gap()


def _game(written: Mapping[str, Any]) -> str:
    return GAMES[written["game"]].title


def _moment(t: str) -> str:
    return f"{t[:10]} {t[11:19]} UTC"


def _many(number: int, of: str) -> str:
    return f"{number} {of}" if number == 1 else f"{number} {of}s"
