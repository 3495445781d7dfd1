"""Three Card Poker: the bonus tables over all C(52,3) hands, ante and play against all C(49,3) of the dealer's."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from feltrig.engine.odds.suits import orbits
from feltrig.engine.odds.wager import Net, Progress, Wager, gathered, paid, silent
from feltrig.engine.ranking.bulk import categories, strengths
from feltrig.engine.ranking.census import census, hands
from feltrig.engine.ranking.shape import packed
from feltrig.engine.ranking.tables import Strengths
from feltrig.engine.ranking.three_card import RANKING, ThreeCard
from feltrig.engine.three_card_poker.paytables import ANTE_BONUS, PAY_TABLES
from feltrig.engine.three_card_poker.settlement import _IN_EACH_WAGER, Outcome
from feltrig.engine.three_card_poker.showdown import LOWEST_QUALIFYING
