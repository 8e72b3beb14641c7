# The rings, which say where an account, a container or an object is. Here all of them have one device.
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for name, port in zip(('account', 'container', 'object'), map(int, sys.argv[2:])):
    builder = RingBuilder(4, 1, 0)
    address = {'ip': '127.0.0.1', 'port': port}
    replication = {'replication_' + key: value for key, value in address.items()}
    builder.add_dev({'region': 1, 'zone': 1, 'device': 'disk', 'weight': 1, 'meta': '', **address, **replication})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (folder, name))
