import multiprocessing
import os

from django.core.wsgi import get_wsgi_application

from games.management.supervisor import end_with

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")

# A process of the web server does not outlive it.
if server := multiprocessing.parent_process():
    end_with(server.pid or 0)

application = get_wsgi_application()
