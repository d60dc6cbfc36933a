"""Texts that may be shown: what is known to be a password is in none of them.

An answer shows addresses by ``shown_address``. Where a password ends can be told of an address, not of a sentence that
has one in it. So the passwords of every address that is given (``remember``) are kept while the process lives, and
taken out of every error as they were written; an answer may have such a word by right.
"""

from __future__ import annotations

import json
import re

#: Pages and files are no stores: names of models may be such addresses, with a port and an @.
_SCHEME = r"\b(?!https?:|file:)[a-z][a-z0-9+.\-]*:/{1,2}"
_IN_AUTHORITY = re.compile(rf"(?P<before>{_SCHEME}[^\s/@?#:]*):(?P<password>.*)@", re.IGNORECASE | re.DOTALL)
_IN_QUERY = re.compile(r"(?P<before>[?&](?:ssl)?password=)(?P<password>[^&]*)", re.IGNORECASE)
_IN_KEYWORDS = re.compile(
    r"(?P<before>\b(?:ssl)?password\s*=\s*)(?P<password>'(?:[^'\\]|\\.|'')*'|(?:[^'\s\\]|\\.)(?:[^\s\\]|\\.)*)",
    re.IGNORECASE | re.DOTALL,
)
#: An address in a text ends with a blank.
_IN_TEXT = (
    re.compile(rf"(?P<before>{_SCHEME}[^\s/@?#:]*):(?P<password>\S*)@", re.IGNORECASE),
    re.compile(r"(?P<before>\b(?:ssl)?password\s*=\s*)(?P<password>'(?:[^'\\]|\\.)*'|[^&#\s\"']+)", re.IGNORECASE),
)
_SHORTEST = 3
_remembered: set[str] = set()


def remember(*addresses: str) -> None:
    """Keep the passwords of addresses out of every text from now on; what is no address has none."""
    for address in addresses:
        for password in passwords_in(address):
            if len(password) >= _SHORTEST:  # a letter is in every text
                _remembered.update((password, json.dumps(password)[1:-1], repr(password)[1:-1]))


def shown_address(address: str) -> str:
    """Return an address without its passwords; the rest stays as it is, whatever they are.

    Examples
    --------
    >>> shown_address("postgresql://test:test@host/test?sslpassword=a b")
    'postgresql://test@host/test?sslpassword=***'
    >>> shown_address("host=db user=ann password='my secret' dbname=results")
    'host=db user=ann password=*** dbname=results'
    """
    if not re.search(_SCHEME, address, re.IGNORECASE):
        return _IN_KEYWORDS.sub(r"\g<before>***", address)
    return _IN_QUERY.sub(r"\g<before>***", _IN_AUTHORITY.sub(r"\g<before>@", address))


def without_passwords(text: str) -> str:
    """Return a text that others may see, such as a message of another program.

    Examples
    --------
    >>> without_passwords("postgresql://ann:secret@host/results?sslpassword=other")
    'postgresql://ann@host/results?sslpassword=***'
    >>> without_passwords("host=db user=ann password='my secret' dbname=results")
    'host=db user=ann password=*** dbname=results'
    """
    for password in sorted(_remembered, key=len, reverse=True):  # one may be a part of another
        text = text.replace(password, "***")
    authority, by_name = _IN_TEXT
    return by_name.sub(r"\g<before>***", authority.sub(r"\g<before>@", text))


def passwords_in(address: str) -> set[str]:
    """Return the passwords of an address, as they are written there and as they are meant.

    Examples
    --------
    >>> sorted(passwords_in("postgresql://ann:a%40b@host/results"))
    ['a%40b', 'a@b']
    >>> sorted(passwords_in("postgresql://host/results?password=it's mine&user=ann"))
    ["it's mine"]
    """
    url = re.search(_SCHEME, address, re.IGNORECASE)
    patterns = (_IN_AUTHORITY, _IN_QUERY) if url else (_IN_KEYWORDS,)
    found = [match["password"] for each in patterns for match in each.finditer(address)]
    if not found:
        return set()
    from urllib.parse import unquote  # which knows all of an address, and takes as long to load as a small table

    found += [each[1:-1].replace("''", "'") for each in found if len(each) > 1 and each[0] == each[-1] == "'"]
    return {*found, *map(unquote, found)} - {""}
