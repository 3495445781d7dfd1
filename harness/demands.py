"""The demands of the wire documents that hold for every device on every wire, by what they demand: the ids that
conformance cites. What a single kind demands stands in the record of that kind."""

# the connection to a broker
COMES_BACK = "MQT-29"

# tokens
SAME_ANSWER = "DEV-1"
NOT_TWICE = "DEV-2"
EIGHT_TOKENS = "DEV-3"
OTHER_COMMAND = "DEV-4"
REFUSALS_KEPT = "DEV-5"
STILL_NEW = "DEV-6"
ANSWERED_ANEW = "DEV-7"
LINE_LOST = "DEV-8"

# events
NUMBERS = "DEV-9"
EVENTS_KEPT = "DEV-10"
EVENTS_AFTER = "DEV-11"
NO_EVENTS_AFTER = "DEV-12"
EVENTS_STAY = "DEV-13"
OLDEST_AND_LATEST = "DEV-14"
NO_OTHER_EVENT = "DEV-15"

# times
ANSWER_TIME = "DEV-16"
ANSWERED_BEFORE = "DEV-17"

# power and start
STARTED = "DEV-18"
NUMBERS_GO_ON = "DEV-19"
NUMBERS_FROM_1 = "DEV-20"
WORK_ABANDONED = "DEV-21"
STARTS_IDLE = "DEV-22"

# commands and states
VOCABULARY = "DEV-24"
ANSWERED_IN_ALL = "DEV-25"
STATUS = "DEV-26"
BUSY = "DEV-27"
WRONG_STATE = "DEV-28"
REFUSED_CHANGES_NOTHING = "DEV-29"
REASON_APPLIES = "DEV-30"
EVENTS_IN_ORDER = "DEV-31"
RESET = "DEV-32"
RESET_ENDS_WORK = "DEV-45"

# faults
FAULTED = "DEV-46"
FAULT_STAYS = "DEV-47"
FAULT_IN_STATUS = "DEV-48"
JAM = "DEV-49"

# identity
IDENTITY = "DEV-94"
DIGEST = "DEV-95"
PROOF = "DEV-96"
NONCE_LENGTH = "DEV-97"

OF_COMMON = {
    "identify": (IDENTITY, ANSWERED_IN_ALL),
    "status": (STATUS, ANSWERED_IN_ALL),
    "challenge": (PROOF, ANSWERED_IN_ALL),
    "reset": (RESET,),
}
"""What a right answer to each command of every device shows."""
