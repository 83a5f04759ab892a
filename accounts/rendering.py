from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    """Renders every form of the site: label above, help and errors below, optional fields marked."""

    form_template_name = "accounts/form.html"
    field_template_name = "accounts/field.html"
