"""The segments of a run that are done."""

from feltrig.harness.journal.segments import completed


def test_a_segment_is_done_at_its_checkpoint_and_one_that_was_begun_again_counts_once(log):
    log.run("rng")
    log.add("segment", name="one", digest="aa")
    log.add("sample", device="rng", number=1, seen={"number": 3})
    log.add("segment", name="one", digest="aa")
    log.add("sample", device="rng", number=1, seen={"number": 4})
    log.add("checkpoint", name="one", memory={"rng": 1})
    log.add("segment", name="two", digest="bb")
    (done,) = completed(log.records)
    assert (done.name, done.digest, done.memory) == ("one", "aa", {"rng": 1})
    assert [record.kind for record in done.records] == ["segment", "sample", "checkpoint"]
