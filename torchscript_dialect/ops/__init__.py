"""The operator table and what is known of each operator: kernels, scalar bodies, shape rules.

Importing the package gives `Tensor` its methods; the families load when somebody asks for the first rule.
"""

from torchscript_dialect.ops.eager import tensor_methods

tensor_methods.install()
