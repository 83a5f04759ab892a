"""The small drawings of `games.rendering`, for Django's templates; the settings load them everywhere."""

from django import template

from games import rendering

register = template.Library()
register.simple_tag(rendering.crest)
register.simple_tag(rendering.drawing)
register.simple_tag(rendering.gem)
