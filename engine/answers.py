"""Which observations can answer which ask, in every game."""

from collections.abc import Mapping

from feltrig.engine import asks, tells
from feltrig.engine.asks import Ask
from feltrig.engine.rulings import OutOfTurn
from feltrig.engine.tells import Tell

ANSWERS: Mapping[type[Ask], tuple[type[Tell], ...]] = {
    asks.OfferBank: (tells.BankAccepted, tells.BankDeclined),
    asks.StartShuffle: (tells.ShuffleStarted, tells.ShufflerFailed),
    asks.FinishShuffle: (tells.Shuffled, tells.ShufflerFailed),
    asks.Cut: (tells.DeckCut,),
    asks.PlaceDealerWager: (tells.DealerWagered,),
    asks.LoadShoe: (tells.ShoeLoaded, tells.ShoeFailed),
    asks.CallNoMoreBets: (tells.NoMoreBets,),
    asks.ShakeDice: (tells.DiceRolled,),
    asks.SelectNumber: (tells.NumberSelected,),
    asks.ReadButton: (tells.ButtonSeen,),
    asks.DealCard: (tells.CardDealt, tells.CardDrawnInError),
    asks.Dispense: (tells.StackDispensed, tells.ShoeFailed),
    asks.RackStub: (tells.StubRacked,),
    asks.ChooseStack: (tells.StackChosen,),
    asks.DeliverStack: (tells.StackDelivered,),
    asks.CollectUnbet: (tells.UnbetCollected,),
    asks.ParkShaker: (tells.ShakerParked,),
    asks.DecideExposed: (tells.PlayedOn, tells.HandVoided),
    asks.SetHands: (tells.HandSet, tells.Surrendered),
    asks.Expose: (tells.Exposed,),
    asks.CollectCards: (tells.CardsCollected,),
    asks.ClearDevice: (tells.DeviceCleared,),
    asks.ReplaceDeck: (tells.DeckReplaced,),
    asks.Burn: (tells.CardBurned,),
    asks.Decide: (tells.Decided,),
    asks.Reveal: (tells.Revealed,),
    asks.CheckHoleCard: (tells.HoleCardChecked,),
    asks.CountSensors: (tells.SensorsRead,),
    asks.ReadMeter: (tells.MeterRead,),
    asks.SpinBall: (tells.BallSpun,),
    asks.SpinWheel: (tells.WheelSpun,),
}


def expect(fits: bool, ask: Ask, seen: Tell) -> None:
    """Raise OutOfTurn unless the observation fits."""
    if not fits:
        raise OutOfTurn(f"{seen} does not answer {ask}")
