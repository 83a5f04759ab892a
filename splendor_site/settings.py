"""The one settings file. Everything has a default; a production site sets the environment."""

import contextlib
import json
import os
import secrets
from email.headerregistry import Address
from pathlib import Path
from typing import Any
from urllib.parse import quote

import environ
from csp.constants import NONE, SELF

from splendor_site import languages

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
# Otherwise a value that begins with $, such as a generated key, would be read as the name of another variable.
env.ENVIRON = {name: value.replace("$", r"\$") for name, value in os.environ.items()}
env.escape_proxy = True

# All data of a site: database, queue, key, mails, collected static files.
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)


def _kept_key(path: Path) -> str:
    """The secret key of this site, created at its first start; only its owner can read the file."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(48))
        # Unlike a rename, a link never replaces a key that another process has just created.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


# --- the site ---

SITE_NAME: str = env.str("SITE_NAME", default="Cabochon")

# For developers: error pages show tracebacks, and /mail/ shows all mails, with everybody's codes.
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or (
    "for development only" if DEBUG else _kept_key(VAR_DIR / "secret_key")
)
# Former keys. Anything signed with them stays valid.
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[])
# The address on which the web server listens.
BIND: str = env.str("BIND", default="") or "127.0.0.1"
PORT = env.int("PORT", default=8000)

if DEBUG and (_public := {*ALLOWED_HOSTS, BIND} - {"localhost", ".localhost", "127.0.0.1", "::1", "[::1]"}):
    # SystemExit prints the message alone, without a traceback.
    raise SystemExit(
        f"DEBUG=1 shows everybody's log-in codes at /mail/, so it is for this machine only, and not for "
        f"{', '.join(sorted(_public))}. Unset DEBUG, or ALLOWED_HOSTS and BIND."
    )

ROOT_URLCONF = "splendor_site.urls"
WSGI_APPLICATION = "splendor_site.wsgi.application"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "accounts",
    "games",
    "splendor_site",
]

MIDDLEWARE = [
    "splendor_site.health.HealthMiddleware",
    "accounts.middleware.RefusalsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "splendor_site.compression.CompressionMiddleware",
    "splendor_site.headers.HeadersMiddleware",
    "csp.middleware.CSPMiddleware",
    "splendor_site.requests.ReadableMiddleware",
    "games.middleware.PollMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PreferencesMiddleware",
    "accounts.suspension.SuspensionMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "games.middleware.GuestMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["games.templatetags.pieces"],
        },
    },
    # Jinja draws boards and the rows of the dashboard, which are most of the site's work.
    {
        "NAME": "jinja",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"environment": "games.rendering.environment"},
    },
]

# In development Whitenoise serves the apps' own files; in production they are collected, compressed and named after
# their content.
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "splendor_site.staticfiles.Storage"
    },
}
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False

# No page takes files, and the web server refuses larger bodies.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2**20
FILE_UPLOAD_HANDLERS = ["splendor_site.requests.NoFiles"]

FORM_RENDERER = "accounts.rendering.Renderer"

# Nothing inline and nothing from other sites, in development too.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [SELF],
        "frame-ancestors": [NONE],
    },
}

# Names the accounts that were used in a browser.
BROWSER_COOKIE_NAME = "browser"

if not DEBUG:
    # All requests come through a proxy that speaks HTTPS and says so.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    # Browsers take cookies of these names from this host alone, and over HTTPS.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    BROWSER_COOKIE_NAME = "__Host-browser"
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 3600)
    # Other services may use subdomains, so the host decides whether HSTS includes them.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=False)
    # These checks ask for HSTS_SUBDOMAINS, see above: W005 to include subdomains, W021 to preload them.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# The form of log lines: text, or one JSON object a line.
LOG_FORMAT = env.str("LOG_FORMAT", default="text")
if LOG_FORMAT not in ("text", "json"):
    raise SystemExit(f"LOG_FORMAT is text or json, not {LOG_FORMAT}.")
# With Django's default, production would log no errors.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "without_tokens": {"()": "splendor_site.logs.WithoutTokens"},
        "once_per_outage": {"()": "splendor_site.outages.OncePerOutage"},
    },
    "formatters": {
        "text": {"()": "splendor_site.logs.Plain"},
        "json": {"()": "splendor_site.logs.Structured"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["once_per_outage"]},
    },
    "loggers": {
        "security": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # These loggers write addresses, which may hold a token or the key of a table.
        "django.request": {"filters": ["without_tokens"]},
        "django.security.csrf": {"filters": ["without_tokens"]},
        "waitress": {"filters": ["without_tokens"]},
        # This logger warns of every request that waits for a thread.
        "waitress.queue": {"level": "ERROR"},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
}

DEFAULT_EXCEPTION_REPORTER = "splendor_site.errors.Reporter"

# --- what runs ---

# `manage.py runall` starts this many processes of each kind on this machine; 0 means none.
WEB_PROCESSES = env.int("WEB_PROCESSES", default=1 if DEBUG else 2)
WORKER_PROCESSES = env.int("WORKER_PROCESSES", default=1 if DEBUG else 2)
BOT_PROCESSES = env.int("BOT_PROCESSES", default=1)
MAIL_PROCESSES = env.int("MAIL_PROCESSES", default=1)
# Seconds that a bot that looks ahead may think about one decision.
BOT_SECONDS = env.float("BOT_SECONDS", default=3.0)
# Seconds that a running task gets when its worker stops; after that it goes back into the queue.
STOP_SECONDS = env.int("STOP_SECONDS", default=10)
# The site's address, for everything that is written outside a request, such as a mail.
SITE_URL: str = env.str("SITE_URL", default="").rstrip("/") or (
    f"http://127.0.0.1:{PORT}" if DEBUG else f"https://{ALLOWED_HOSTS[0].lstrip('.') if ALLOWED_HOSTS else 'localhost'}"
)

# --- what is stored ---

_database = env.str("DATABASE_URL", default="") or f"sqlite:///{quote(str(VAR_DIR))}/db.sqlite3"
DATABASES: dict[str, dict[str, Any]] = {"default": env.db_url_config(_database)}
_is_sqlite = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if _is_sqlite:
    DATABASES["default"]["ENGINE"] = "splendor_site.sqlite"
    # Writers wait for each other instead of failing, and a commit is on the disk. A worker empties the journal; a
    # commit does it only when the journal has grown to this many pages of 4 kB.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 10000;",
    }
# Connections stay open between requests. SQLite flushes its journal when the last one closes.
DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
DATABASES["default"].setdefault("CONN_HEALTH_CHECKS", True)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Without REDIS_URL, `runall` starts a private server on this socket; the path may be a link to the socket.
VALKEY_SOCKET = VAR_DIR / "valkey.sock"
REDIS_URL: str = env.str("REDIS_URL", default="")
PRIVATE_BROKER = not REDIS_URL
REDIS_URL = REDIS_URL or f"unix://{quote(str(VALKEY_SOCKET.resolve()))}"

# The cache is on the server of the queues, in its own database. Nothing that must be true lives here. The counters that
# guard accounts are in the second cache, in the database, so they hold when that server does not answer.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "splendor_site.cache.ForgivingRedisCache",
        "LOCATION": f"{REDIS_URL}{'&' if '?' in REDIS_URL else '?'}db=1",
        "OPTIONS": {
            "serializer": "splendor_site.cache.JSONSerializer",
            # A page waits no longer than this for the cache, and then does without it for a while.
            "socket_timeout": 0.2,
            "socket_connect_timeout": 0.2,
            "retry": None,
        },
        # Version 1 was not JSON.
        "VERSION": 2,
    },
    "counters": {"BACKEND": "splendor_site.cache.CountersCache"},
}

# --- mail ---

# Without a mail server, mails are written to files. For a mail service, name a django-anymail backend and give it its
# settings. With a secret, the service can also report at /anymail/ what happened to a mail.
EMAIL_BACKEND: str = env.str("EMAIL_BACKEND", default="") or "django.core.mail.backends.filebased.EmailBackend"
# Seconds to wait for an answer from the mail server or the mail service.
EMAIL_TIMEOUT = 10
ANYMAIL: dict[str, Any] = {"REQUESTS_TIMEOUT": EMAIL_TIMEOUT, **json.loads(env.str("ANYMAIL", default="") or "{}")}
ANYMAIL_WEBHOOK_SECRET: str = env.str("ANYMAIL_WEBHOOK_SECRET", default="")
EMAIL_FILE_PATH = str(VAR_DIR / "mail")
if _mail_server := env.str("EMAIL_URL", default=""):
    vars().update(env.email_url_config(_mail_server))
DEFAULT_FROM_EMAIL: str = env.str("DEFAULT_FROM_EMAIL", default="") or str(
    Address(SITE_NAME, "no-reply", ALLOWED_HOSTS[0].lstrip(".") if ALLOWED_HOSTS else "localhost")
)

# --- accounts ---

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "mine"
LOGOUT_REDIRECT_URL = "home"
# A session ends when its user has not come for this long; see `accounts.sessions.prolong`.
SESSION_COOKIE_AGE = 30 * 24 * 3600
# Log-in limits count per client. Behind proxies, its address is this many places from the end of X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0 if DEBUG else 1)

# How often one user may submit decisions, create tables, join or leave seats, send a test mail, and as a member of
# staff try a recovery code; and how many guests one network may bring, because a whole class can sit behind one
# address. The other limits are for wrong passwords, and for requests that make allauth send mails. They count per
# address (`key`) and per network (`ip`), which is one IPv4 address or an IPv6 prefix of 64 bits. See also
# `games/services/mailing/caps.py`.
ACCOUNT_RATE_LIMITS = {
    # Here the key is an account at one network, and below an account at all networks on which it has no session.
    "login_failed": "10/m/ip,5/5m/key",
    "login_of_name": "100/h/key",
    "decide": "120/m/user",
    "new": "60/h/user",
    "seat": "60/m/user",
    "guest": "30/h/ip",
    # Pages about people, so that nobody collects the names of all.
    "profile": "300/h/user,600/h/ip",
    # A vacation that ends early leaves a row, and each day off stops clocks.
    "vacation": "30/d/user",
    "days_off": "2/7d/user",
    # Questions for a passkey; each makes a session.
    "passkey": "60/m/ip",
    "test_mail": "5/h/user,20/d/user",
    "staff_code": "5/5m/user",
    "signup": "20/m/ip,50/d/ip",
    "reset_password": "20/m/ip,50/d/ip,5/m/key,10/d/key",
    "confirm_email": "1/10s/key,10/d/key",
    "manage_email": "10/m/user,20/d/user",
}

# Sign-up is open to everyone (`open`), to people whom a user invites (`invitation`), or to nobody (`closed`).
SIGN_UP = env.str("SIGN_UP", default="open")
if SIGN_UP not in ("open", "invitation", "closed"):
    raise SystemExit(f"SIGN_UP is open, invitation or closed, not {SIGN_UP}.")
# In the footer of every page: the site owner's mail address or page, and the address of a legal notice.
CONTACT: str = env.str("CONTACT", default="")
LEGAL_NOTICE: str = env.str("LEGAL_NOTICE", default="")
# How many days the host keeps the site's logs and its backups; the privacy page says so.
LOG_DAYS = env.int("LOG_DAYS", default=90)
BACKUP_DAYS = env.int("BACKUP_DAYS", default=30)
# The doctor warns when more requests than this were refused in this hour and the last one.
MANY_REFUSALS = env.int("MANY_REFUSALS", default=2000)
# Whether a worker makes a backup every day.
DAILY_BACKUP = env.bool("DAILY_BACKUP", default=True)
# Whether people may play without an account.
GUESTS = env.bool("GUESTS", default=True)
# Whether the first page shows tables that everybody may watch.
PUBLIC_TABLES = env.bool("PUBLIC_TABLES", default=True)
# The number of tables with other people that users can open or join before they have played a first game to its end.
NEWCOMER_TABLES = env.int("NEWCOMER_TABLES", default=5)
# The number of running games against bots alone that a user can have.
BOT_TABLES = env.int("BOT_TABLES", default=10)

ACCOUNT_ADAPTER = "games.adapter.Adapter"
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 15 * 60
# There may be two more codes after the first.
ACCOUNT_LOGIN_TIMEOUT = 60 * 60
# A visitor must not make the site mail people without an account.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# A user has one address. It changes when the new one is confirmed, and the old one gets a notification.
ACCOUNT_CHANGE_EMAIL = ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "confirm_email_verification_code": "accounts.forms.ConfirmEmailVerificationCodeForm",
    "confirm_password_reset_code": "accounts.forms.ConfirmPasswordResetCodeForm",
}

# Passkeys are an alternative to the password.
MFA_ADAPTER = "accounts.adapter.PasskeyAdapter"
MFA_SUPPORTED_TYPES = ["webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.EditPasskeyForm",
    "login_webauthn": "accounts.forms.LoginPasskeyForm",
    "reauthenticate_webauthn": "accounts.forms.ReauthenticatePasskeyForm",
}

# --- work in the background ---

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task lost with its worker is queued again after this many seconds, checked every 5 s instead of every 100 s.
    "visibility_timeout": 300,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    # Without a broker, queueing a task fails at once instead of after 6 s.
    "max_retries": 0,
    # Seconds to wait for a broker that does not answer, instead of for ever.
    "socket_timeout": 2,
    # A worker empties its first queue before it looks into the next.
    "queue_order_strategy": "priority",
}
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Bots and mails have their own queues, so that no other task waits for them. `games.services.work.bot_queues` names
# the queue of each bot; `bots` also has tasks of earlier versions.
CELERY_TASK_ROUTES = {"games.tasks.think*": {"queue": "bots"}, "games.tasks.deliver*": {"queue": "mail"}}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 10.0, "options": {"expires": 10.0}},
    "forget": {"task": "games.tasks.forget", "schedule": 24 * 3600.0},
    "forget_guests": {"task": "games.tasks.forget_guests", "schedule": 24 * 3600.0},
    "forget_accounts": {"task": "accounts.tasks.forget", "schedule": 24 * 3600.0},
    "analyze": {"task": "splendor_site.tasks.analyze", "schedule": 24 * 3600.0},
}
if _is_sqlite:
    CELERY_BEAT_SCHEDULE["checkpoint"] = {
        "task": "splendor_site.tasks.checkpoint",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    }
if DAILY_BACKUP:
    CELERY_BEAT_SCHEDULE["back_up"] = {"task": "splendor_site.tasks.back_up", "schedule": 24 * 3600.0}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")

# --- languages and time ---

LANGUAGE_CODE = "en"
LANGUAGES = languages.known()
# `runall` compiles the catalogues of splendor_site/locale.
LOCALE_PATHS = [VAR_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = not DEBUG
LANGUAGE_COOKIE_HTTPONLY = True
FORMAT_MODULE_PATH = "splendor_site.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
