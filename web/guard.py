"""Who may change something: requests from our own page, from this computer or with the code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from flask import Response, current_app, request

from calibration.errors import UserError
from rules.protocol import InputError
from web import access
from web.app import current_config, refusal, sentence

View = TypeVar("View", bound=Callable[..., Any])


def controlled(view: View) -> View:
    """A view that changes something or shows a secret; errors that people can put right become 400 and a sentence."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        problem = refuse_foreign() or refuse_control()
        if problem is not None:
            return problem
        try:
            return view(*args, **kwargs)
        except UserError as error:
            return sentence(400, {"de": error.sentence("de"), "en": error.sentence("en")})
        except InputError as error:
            return sentence(400, {"de": error.text("de"), "en": error.text("en")})

    return cast(View, guarded)


def refuse_foreign() -> Response | None:
    """A refusal for a request that another site's page has made."""
    return None if access.same_origin(request) else refusal(403, "foreign_origin")


def refuse_control() -> Response | None:
    """A refusal for a viewer that is neither on this computer nor has the code."""
    if access.is_local(request):
        return None
    attempts: access.Attempts = current_app.extensions["schiri-attempts"]
    given = request.headers.get(access.CODE_HEADER)
    if given is None:
        return refusal(401, "code_needed")
    if attempts.exhausted():
        return refusal(429, "too_many_codes")
    return None if attempts.matches(given.strip(), current_config().code) else refusal(403, "code_wrong")


def json_body() -> dict[str, Any]:
    """The JSON object of the request, an empty one where there is none. Raises BadRequest for anything else."""
    body = request.get_json(silent=False) if request.data else {}
    if not isinstance(body, dict):
        from werkzeug.exceptions import BadRequest

        raise BadRequest
    return body


def enqueued(wanted: Mapping[str, Any], most_waiting: int) -> bool:
    """Put a command into the referee's queue; False where so many wait there already."""
    commands = current_config().hub.commands
    if commands.qsize() >= most_waiting:
        return False
    commands.put_nowait(dict(wanted))
    return True
