"""What a run shows in pictures: results of its rounds."""

from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.reports.observed import PLAYED, observed


def test_pictures_of_a_run_come_from_its_rounds(played):
    seen = {one.device: one for one in observed(judge(Evidence(played)))}
    assert set(seen) == {"shuffler", "shaker", "rng"}
    assert all(one.source == PLAYED and not one.left_out for one in seen.values())
    assert (len(seen["shaker"].rows), len(seen["rng"].rows)) == (2, 2)
    assert all(sorted(row) == list(range(54)) for row in seen["shuffler"].rows)


def test_a_deck_that_is_not_whole_is_left_out_and_counted(log):
    log.run("shuffler", "reader")
    log.device("shuffler")
    for after in ([2, 1, 0], [2, 1], [1, 2, 0]):
        log.read("deck before the shuffle", [0, 1, 2])
        log.read("deck after the shuffle", after)
    (seen,) = observed(judge(log.evidence))
    assert (seen.rows, seen.left_out) == (((2, 1, 0), (1, 2, 0)), 1)
