"""LibreOffice Draw: "Shape", "Convert", "To Contour" on everything, then the SVG export. Arguments: source, file.

Runs on Debian's Python with python3-uno, next to `soffice --accept=pipe,name=hall;urp`.
"""

import pathlib
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

source, file = (pathlib.Path(argument).resolve().as_uri() for argument in sys.argv[1:])
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
for _ in range(60):
    try:
        remote = resolver.resolve("uno:pipe,name=hall;urp;StarOffice.ComponentContext")
        break
    except NoConnectException:
        time.sleep(1)
create = remote.ServiceManager.createInstanceWithContext
desktop = create("com.sun.star.frame.Desktop", remote)
document = desktop.loadComponentFromURL(source, "_blank", 0, ())
dispatcher = create("com.sun.star.frame.DispatchHelper", remote)
for command in (".uno:SelectAll", ".uno:convert_to_contour"):
    dispatcher.executeDispatch(document.CurrentController.Frame, command, "", 0, ())
document.storeToURL(file, (PropertyValue("FilterName", 0, "draw_svg_Export", 0),))
document.close(True)
try:
    desktop.terminate()
except uno.RuntimeException:
    pass
