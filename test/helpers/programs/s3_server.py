"""OpenStack Swift with its S3 API, all in one process, for tests.

Usage: s3_server.py <folder>: prints the port once it accepts requests. The access key is "test:ramal", the secret "secret".
"""
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402

folder = sys.argv[1]
devices = os.path.join(folder, 'devices')
os.makedirs(os.path.join(devices, 'disk'))


def write(name, text):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)


write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = one\ndefault = yes\n')
write('proxy.conf', f'''[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = listing_formats s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:tempauth]
use = egg:swift#tempauth
user_test_ramal = secret .admin
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
min_segment_size = 5242880
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
''')
utils.set_swift_dir(folder)
logger = utils.get_logger({'log_level': 'ERROR', 'log_name': 's3'}, log_to_console=False)

listeners = {name: eventlet.listen(('127.0.0.1', 0)) for name in ('account', 'container', 'object')}
for name, listener in listeners.items():
    builder = RingBuilder(4, 1, 0)
    port = listener.getsockname()[1]
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'disk', 'weight': 1,
                     'replication_ip': '127.0.0.1', 'replication_port': port})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))

from swift.account.server import AccountController  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.server import ObjectController  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402

conf = {'devices': devices, 'mount_check': 'false', 'swift_dir': folder, 'fallocate_reserve': '0'}
backends = {'account': AccountController, 'container': ContainerController, 'object': ObjectController}
for name, controller in backends.items():
    eventlet.spawn(wsgi.server, listeners[name], controller(conf, logger), log_output=False)
proxy = loadapp(os.path.join(folder, 'proxy.conf'))


class Cache:
    """In the place of memcached, which keeps tokens and what is known of containers."""

    def __init__(self):
        self.kept = {}

    def set(self, key, value, **_options):
        self.kept[key] = value

    def get(self, key, **_options):
        return self.kept.get(key)

    def delete(self, key, **_options):
        self.kept.pop(key, None)

    def incr(self, key, delta=1, **_options):
        self.kept[key] = (self.kept.get(key) or 0) + delta
        return self.kept[key]


cache = Cache()


def serve(env, start_response):
    env['swift.cache'] = cache
    return proxy(env, start_response)


front = eventlet.listen(('127.0.0.1', int(sys.argv[2]) if len(sys.argv) > 2 else 0))
print(front.getsockname()[1], flush=True)
wsgi.server(front, serve, log_output=False)
