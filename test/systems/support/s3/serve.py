# Runs the program `swift-NAME-server` with another folder of configuration than /etc.
import sys
from swift.common import utils
from swift.common.wsgi import run_wsgi
folder, name = sys.argv[1:]
utils.SWIFT_CONF_FILE = folder + '/swift.conf'
sys.exit(run_wsgi('%s/%s.conf' % (folder, name), name + '-server'))
