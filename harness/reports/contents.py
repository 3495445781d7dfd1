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
from feltrig.harness.judge.planned import Planned
from feltrig.harness.reports.blocks import Block, Cell, Code, Facts, Gap, Mark, Paragraph, Report, Section, Table
from feltrig.harness.reports.lab import KEYS, Lab
from feltrig.harness.reports.results import (
    appendix,
    checklist,
    clause_matrix,
    deviations,
    drills,
    origin,
    timing,
    untested,
)
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
    """Whether the verdict that lies beside the journal is another than this program draws from it."""
    wrong_certificate: str | None = None
    """What is wrong with the certificate that lies there."""


SAYS = {
    "certified": "conforms to every requirement of the scope below that was tested, and nothing required was left out",
    "refused": "does not conform: at least one requirement of the scope below is not met",
    "inconclusive": "is neither found to conform nor to fail: something that the scope requires was not tested",
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
    parts = [
        Section("Items under test", _items(evidence, written, chosen)),
        Section("Method and scope", _method(evidence, written, chosen)),
        Section("Conformity and decision rule", _decision_rule(written, found, chosen)),
        Section("Clause matrix", clause_matrix(evidence, found)),
        Section("Statistics", statistics(judgement)),
        Section("Provoked irregularities", drills(evidence, found)),
        Section("Timings", timing(judgement)),
        Section("Inspector's checklist", checklist(evidence)),
        Section("Deviations and incidents", deviations(evidence, source.torn)),
        Section("Clauses not tested", untested(found)),
        Section("Authorisation", _authorisation(source, written)),
        Section("Appendix: journal excerpts", appendix(evidence, found)),
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
        yield "The verdict.json kept with the run is not what follows from its journal by this program."
    if source.wrong_certificate:
        yield f"The certificate kept with the run does not hold: it {source.wrong_certificate}."
    if emulated:
        yield f"Emulated in this run, not physical: {', '.join(emulated)}. No result on them speaks of a real machine."
    if not any(source.judgement.evidence.of(Attested)):
        yield "No inspector's checklist was handed in: what only an inspector can confirm is not covered."
    if chosen is None:
        yield "The run followed no plan: chance was judged by no statistical decision, and no time was limited."


def _cover(source: Source, written: Mapping[str, Any], chosen: Planned | None, number: str) -> Facts:
    evidence = source.judgement.evidence
    rows: list[tuple[str, Cell]] = [("report", Code(number))]
    told = ("report", "name", "address", "accreditation", "location", "environment", "customer", "customer_address")
    rows += [(KEYS[key], _said(source.lab, key)) for key in told]
    rows += [
        ("item", _subject(written, chosen).rstrip(",")),
        (KEYS["received"], _said(source.lab, "received")),
        (KEYS["condition"], _said(source.lab, "condition")),
        ("tests begun", _moment(evidence.all[0].t)),
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
        word: Cell = Mark(device["verdict"]) if chosen is None or chosen.device == name else "not under test"
        rows.append((name, role, made, identity["serial"], identity["firmware"], origin(device["emulated"]), word))
        details.append(_identity(evidence, name, device))
    if not rows:
        return [Paragraph("No device said who it is before the run ended.", stress=True)]
    head = ("device", "role", "vendor and model", "serial number", "firmware", "made as", "verdict")
    overview = Table(head, tuple(rows), (0.1, 0.16, 0.24, 0.17, 0.1, 0.1, 0.13))
    return [overview, *details]


def _role(name: str, device: Mapping[str, Any], written: Mapping[str, Any], chosen: Planned | None) -> str:
    if device["kind"] not in written["uses"]:
        return "not used by the game"
    if DEVICES[device["kind"]].read is not None:
        return "instrument of the rig"
    return "under test" if chosen is None or chosen.device == name else "part of the rig"


def _identity(evidence: Evidence, name: str, device: Mapping[str, Any]) -> Facts:
    identity, submitted = device["identity"], evidence.devices[name].submitted
    rows: list[tuple[str, Cell]] = [
        (name, f"{device['kind']} on {device['wire']}, {origin(device['emulated'])}"),
        ("where", Code(device["where"])),
        ("SHA-256 of the firmware, as reported", Code(identity["digest"])),
    ]
    for key, value in submitted.items():
        same = "as submitted" if identity.get(key) == value else f"reported: {identity.get(key)}"
        rows.append((f"submitted: {key}", f"{value} ({same})"))
    if not submitted:
        rows.append(("submitted", "nothing was submitted to compare with"))
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
        rows += [
            ("plan", f"{chosen.plan.name}: {chosen.plan.title}"),
            ("SHA-256 of the plan", Code(chosen.plan.digest)),
        ]
        sampling = chosen.plan.sampling
        if sampling is not None:
            way = "until the evidence suffices, at most" if chosen.sequential else "exactly"
            note = sampler_of(chosen.plan).note
            rows.append(("sampling", f"{way} {sampling.most} {sampling.unit}{note and f', {note}'}"))
    rows.append(("journal", f"{written['journal']['records']} records, each chained to the one before by SHA-256"))
    rows.append(("last hash of the journal", Code(written["journal"]["hash"])))
    idle = [name for name, device in written["devices"].items() if device["kind"] not in written["uses"]]
    scope = (
        "Full rounds of the game were played on the devices over their own wires; every request, answer and byte "
        "stands in the journal. What the devices claim was compared with what the reader of the rig saw. All figures "
        "below are worked out from the journal alone."
    )
    excluded = (
        "Excluded: the conduct of people, the building of the machine, its electrical safety, and whatever the wire of "
        "a device does not carry. Clauses that were not tested are listed with their reasons."
    )
    if idle:
        excluded += f" The game as chosen has no use for {', '.join(idle)}: not judged."
    return [Facts(tuple(rows)), Paragraph(scope), Paragraph(excluded)]


def _decision_rule(written: Mapping[str, Any], found: Sequence[Finding], chosen: Planned | None) -> list[Block]:
    blocks: list[Block] = []
    counting = [f for f in found if under_test(written, f)]
    against = [f for f in counting if f.verdict is Verdict.FAIL]
    missing = [f for f in counting if f.verdict is Verdict.NOT_TESTED and f.required]
    others = sorted({f.device for f in found if f.verdict is Verdict.FAIL and f not in counting})
    if against or missing:
        rows = tuple(
            (f.clause or "rig", f.device, f.check, Mark(f.verdict.value), f.detail) for f in (*against, *missing)
        )
        head = ("clause", "device", "requirement", "verdict", "why")
        blocks.append(Table(head, rows, (0.16, 0.11, 0.27, 0.12, 0.34)))
    else:
        blocks.append(Paragraph("No requirement failed, and none that is required was left untested."))
    if others:
        words = f"Devices that are not under test failed requirements of their own: {', '.join(others)}."
        blocks.append(Paragraph(f"{words} The table of all results has them."))
    judged = f"the {chosen.device} and the table" if chosen else "all devices that the game uses and the table"
    blocks.append(
        Paragraph(
            f"Decision rule. The statement of conformity covers {judged}. One occasion on which a requirement was not "
            "met refuses the item: no failure is set off against successes, and there is no guard band. Where a "
            "required clause could not be tested, the run is inconclusive. Nothing is decided on bytes that noise may "
            "have changed unseen."
        )
    )
    blocks.append(Paragraph(_risk(written["statistics"])))
    blocks.append(
        Paragraph(
            "Risk of a false acceptance, single occasions. A fault that shows itself on a share q of all occasions is "
            "missed in n of them with probability (1 - q) to the power n: after n occasions without a failure, q is "
            "below 3/n with a confidence of 95 %. The number of occasions is given with each result."
        )
    )
    return blocks


def _risk(decided: Mapping[str, Any] | None) -> str:
    if decided is None:
        return (
            "Statistics. No decision about chance was taken in this run. The pictures below show what was seen; they "
            "are too small a sample to refuse or accept a machine by."
        )
    reason = decided["reason"].rstrip(".")
    return (
        "Statistics. One decision is taken for all tests of a device together. Risk of a false refusal: a fair "
        f"machine is refused with probability {decided['level']:.2g} at most. Risk of a false acceptance: it depends "
        f"on the defect; of the sample of {decided['sample']} {decided['unit']} this is known. "
        f"{reason[0].upper()}{reason[1:]}."
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
    how = "Whoever holds the folder of the run can check chain, verdict and certificate with `feltrig verify`."
    return [Facts(tuple(rows)), Paragraph(how), *(Paragraph(notice) for notice in NOTICES)]


def _said(lab: Lab, key: str) -> Cell:
    return lab.get(key) or Gap(KEYS[key])


def _game(written: Mapping[str, Any]) -> str:
    return GAMES[written["game"]].title


def _moment(t: str) -> str:
    return f"{t[:10]} {t[11:19]} UTC"


def _many(number: int, of: str) -> str:
    return f"{number} {of}" if number == 1 else f"{number} {of}s"
