"""What is checked of each kind of device, and how the journal shows it: one table, and a module for each kind."""

from feltrig.harness.judge.checks import any_device, rng, shaker, shoe, shuffler
from feltrig.harness.judge.checks.check import Check, Sighting

__all__ = ["CHECKS", "Check", "Sighting"]

CHECKS = (
    Check("is the device that was submitted", None, None, any_device.identity_as_submitted),
    Check(
        "proves its firmware with a salted challenge",
        None,
        None,
        any_device.proves_its_firmware,
        required=False,  # of a device whose image was submitted, no run ends without it
        limits="this shows more than a digest, that the image is at hand, but not that it is what runs",
        absent="no firmware image was submitted",
    ),
    Check("numbers its events without a gap", None, None, any_device.events_without_gap),
    Check("stays on", None, None, any_device.stays_on),
    Check("does what it is told", None, None, any_device.completes),
    Check("completes its shuffle cycle", "shuffler", "shuffler fails", shuffler.shuffles_to_the_end),
    Check("counts the cards after each shuffle", "shuffler", "machine count", shuffler.counts_every_shuffle),
    Check("reports the count that came out", "shuffler", "machine count", shuffler.count_is_true),
    Check("indicates whether the deck is complete", "shuffler", "machine count", shuffler.indicates_wrong_count),
    Check("gives out the cards that went in", "shuffler", "deck", shuffler.deck_comes_out_whole),
    Check("changes the order of the deck", "shuffler", "shuffle", shuffler.order_changes),
    Check("lets no cards stay together", "shuffler", "shuffle", shuffler.cards_do_not_stay_together),
    Check("does not sort the deck", "shuffler", "shuffle", shuffler.deck_is_not_sorted),
    Check("never shuffles twice alike", "shuffler", "shuffle", shuffler.no_shuffle_twice),
    Check("turns no card over", "shuffler", "face up", shuffler.turns_no_card),
    Check("alternates two decks", "shuffler", "alternate", shuffler.decks_alternate, required=False),
    Check(
        "shuffles the deck that is not in play",
        "shuffler",
        "shuffle waiting",
        shuffler.shuffles_the_idle_deck,
        required=False,
    ),
    Check("dispenses stacks of the size asked for", "shoe", "stack", shoe.stacks_of_the_size_asked),
    Check("reports the size it dispensed", "shoe", "stack", shoe.reports_the_size_dispensed),
    Check("dispenses only when told, after no more bets", "shoe", "closed first", shoe.dispenses_only_when_told),
    Check("dispenses the deck from its top", "shoe", "dispense", shoe.deals_from_the_top),
    Check("dispenses no card face up", "shoe", "face up", shoe.dispenses_face_down),
    Check("holds three dice", "shaker", "dice", shaker.three_dice),
    Check("shows faces from 1 to 6", "shaker", "faces", shaker.faces_of_dice),
    Check("lets the dice lie flat", "shaker", "flat", shaker.dice_lie_flat),
    Check("shakes as often as told, at least three times", "shaker", "shakes", shaker.shakes_as_often_as_told),
    Check("keeps its lid on until told", "shaker", "lid", shaker.lid_stays_on),
    Check("says when its lid is off", "shaker", "faces", shaker.reports_its_lid),
    Check("does not roll the same again and again", "shaker", "shakes", shaker.dice_do_not_stick),
    Check("selects a number from 1 to 7", "rng", "range", rng.number_in_range),
    Check("displays the number selected", "rng", "display", rng.displays_what_it_selected),
    Check("selects once for each trigger", "rng", "display", rng.one_selection_each),
    Check("does not select the same again and again", "rng", "range", rng.number_does_not_stick),
)
