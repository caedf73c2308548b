"""A window of WebKitGTK for WebKitWebDriver to drive, with its data in a folder: `webkit-window.py FOLDER`.

Debian's MiniBrowser is never narrower than its toolbar, which is wider than a phone, and writes no console messages while it is
driven. `--check` only tells whether this machine has what a window needs.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2


def open_window(_session):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    settings = view.get_settings()
    settings.set_enable_write_console_messages_to_stdout(True)
    # Without a graphics card, composition by OpenGL is slower, and crashed in Mesa.
    settings.set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
    window = Gtk.Window()
    window.add(view)
    window.show_all()
    return view


def start(_context, session):
    version = (WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    information = WebKit2.ApplicationInfo()
    information.set_name("WebKitGTK")
    information.set_version(*version)
    session.set_application_info(information)
    session.connect("create-web-view", open_window)


if sys.argv[1] != "--check":
    data = WebKit2.WebsiteDataManager(base_data_directory=sys.argv[1], base_cache_directory=sys.argv[1])
    context = WebKit2.WebContext(website_data_manager=data)
    context.set_preferred_languages(["fr-CA", "fr"])
    context.set_automation_allowed(True)
    context.connect("automation-started", start)
    Gtk.main()
